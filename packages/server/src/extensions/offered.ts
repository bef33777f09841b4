import {
  type CapabilitySettings,
  ErrorCode,
  type ExtensionSettings,
  type Extensions,
  type Meta,
  type Method,
  type MethodTraits,
  type Revision,
  type RevisionTraits,
  RpcError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import {
  addListenFilter,
  addResultType,
  carryExtensions,
  type ExtendedRevisions,
  isObject,
  negotiated,
  settingsIn,
} from '@tenon/mcp-protocol/internal';
import { type IncomingRequest, MissingCapabilityError } from '@tenon/mcp-session';
import { isToolOption } from '../features/tool-options.js';
import type { Rule } from '../registration/members.js';

/** A member of the filter of `subscriptions/listen`. */
export interface ListenFilter {
  /** Returns the problem of a value, to follow its name in a sentence; undefined accepts the value. */
  check(value: unknown): string | undefined;
}

/** An option of `server.tool`. */
export interface ToolOption<Value = unknown> {
  /** Returns the problem of a value, to follow its name in a sentence; undefined accepts the value. Default: accepts all. */
  check?(value: unknown, tool: { readonly name: string }): string | undefined;
  /** Metadata of the tool that follow from the value. Default: none. */
  meta?(value: Value, tool: { readonly name: string }): Meta | undefined;
}

/** The declaration of an extension, without its code. `Options` are the options that it adds to `server.tool`, by name. */
export interface OfferedExtension<Id extends string = string, Options extends object = object> {
  /** With a prefix, such as `com.example/search`. */
  readonly id: Id;
  /** The settings that the server advertises. Default: `{}` in every revision. */
  readonly settings?: ExtensionSettings<Id>;
  /**
   * False if clients use the extension without declaring it. Default true: its methods and filters are refused with -32021 to
   * clients that did not declare it.
   */
  readonly clientDeclares?: boolean;
  /** Members of the filter of `subscriptions/listen`, by name. */
  readonly filters?: Readonly<Record<string, ListenFilter>>;
  /** Options of `server.tool`, by name. */
  readonly toolOptions?: { readonly [Name in keyof Options]: ToolOption<Options[Name]> };
  /** Result types that `interceptToolCall` may return, such as `task`. */
  readonly resultTypes?: readonly string[];
}

/** Result types of the core: no extension may declare one. */
const coreTypes: ReadonlySet<string> = new Set(['complete', 'input_required']);

/** A value of each tool option that a tool was registered with, and the metadata that follow from them. */
export interface GivenOptions {
  readonly values: UnknownObject;
  readonly meta: Meta | undefined;
}

/** The extensions of one server, and their contributions to the features of the core. */
export class OfferedExtensions {
  readonly #all: readonly OfferedExtension[];
  readonly #toolOptions = new Map<string, ToolOption>();
  /** Members of the listen filter, and the extension each belongs to. */
  readonly #filters = new Map<
    string,
    { readonly filter: ListenFilter; readonly extension: OfferedExtension }
  >();
  readonly #settings = new Map<Revision, Extensions | undefined>();

  /**
   * Adds the methods and notifications of the extensions to the revisions.
   * @throws TypeError if two extensions contribute the same name, or one contributes a name of the core.
   */
  constructor(extensions: readonly OfferedExtension[], spoken: ExtendedRevisions) {
    this.#all = extensions;
    const ids = new Names('extension');
    const types = new Names('result type');
    for (const extension of extensions) {
      ids.add(extension.id, extension);
      const offered = offeredIn(extension);
      for (const type of extension.resultTypes ?? []) {
        types.add(type, extension);
        if (coreTypes.has(type))
          throw new TypeError(`Extension "${extension.id}": the result type "${type}" belongs to the core.`);
        addResultType(spoken, type, offered);
      }
      this.#addToolOptions(extension);
      for (const [key, filter] of Object.entries(extension.filters ?? {})) {
        if (this.#filters.has(key)) throw twice('filter', key, extension);
        addListenFilter(spoken, key, offered);
        this.#filters.set(key, { filter, extension });
      }
    }
    carryExtensions(spoken, (revision) => extensions.some((one) => settingsIn(one, revision) !== undefined));
  }

  /** Returns the advertised settings in a revision; undefined if there are none. */
  in(revision: Revision): Extensions | undefined {
    if (!this.#settings.has(revision)) {
      const offered = this.#all.flatMap((one): [string, CapabilitySettings][] => {
        const settings = settingsIn(one, revision);
        return settings === undefined ? [] : [[one.id, settings]];
      });
      this.#settings.set(revision, offered.length === 0 ? undefined : Object.fromEntries(offered));
    }
    return this.#settings.get(revision);
  }

  /** Returns the client's settings of the extensions that are offered in the revision. */
  declaredBy(capabilities: UnknownObject, revision: Revision): { readonly extensions?: Extensions } {
    const { extensions: theirs } = capabilities;
    const ours = this.in(revision);
    if (ours === undefined || !isObject(theirs)) return {};
    const both = Object.keys(ours).flatMap((id): [string, CapabilitySettings][] => {
      const settings = Object.hasOwn(theirs, id) ? theirs[id] : undefined;
      return isObject(settings) ? [[id, settings]] : [];
    });
    return both.length === 0 ? {} : { extensions: Object.fromEntries(both) };
  }

  /** Returns the rules of the tool options, for a tool of that name. */
  toolRules(name: string): Readonly<Record<string, Rule>> {
    const rules: Record<string, Rule> = {};
    for (const [option, { check }] of this.#toolOptions) {
      rules[option] = (value, at) => {
        const problem = check?.(value, { name });
        return problem === undefined ? undefined : `${at} ${problem}`;
      };
    }
    return rules;
  }

  /** Returns the options of extensions among the options of a tool. */
  toolOptions(name: string, options: object): GivenOptions {
    const values: Record<string, unknown> = {};
    let meta: Meta | undefined;
    for (const [option, { meta: metaOf }] of this.#toolOptions) {
      const value = (options as UnknownObject)[option];
      if (value === undefined) continue;
      values[option] = value;
      meta = { ...meta, ...metaOf?.(value, { name }) };
    }
    return { values, meta };
  }

  /**
   * Returns the members of a listen filter that belong to extensions which are offered in the revision.
   * @throws RpcError invalid params if an extension rejects a value; MissingCapabilityError if the client did not declare it.
   */
  listenFilters({ from, revision }: IncomingRequest, wanted: UnknownObject): UnknownObject {
    const accepted: Record<string, unknown> = {};
    const ours = this.in(revision) ?? {};
    for (const [key, { filter, extension }] of this.#filters) {
      const value = Object.hasOwn(wanted, key) ? wanted[key] : undefined;
      const { clientDeclares = true, id } = extension;
      if (value === undefined || !Object.hasOwn(ours, id)) continue;
      if (clientDeclares && negotiated(id, ours, from.clientCapabilities.extensions) === undefined)
        throw undeclared(id, `The filter "${key}"`);
      const problem = filter.check(value);
      if (problem !== undefined)
        throw new RpcError(ErrorCode.invalidParams, `params.notifications.${key} ${problem}`);
      accepted[key] = value;
    }
    return accepted;
  }

  #addToolOptions(extension: OfferedExtension): void {
    for (const [name, option] of Object.entries(extension.toolOptions ?? {})) {
      if (isToolOption(name))
        throw new TypeError(
          `Extension "${extension.id}" adds the tool option "${name}", which every tool has: choose another name.`,
        );
      if (this.#toolOptions.has(name)) throw twice('tool option', name, extension);
      this.#toolOptions.set(name, option as ToolOption);
    }
  }
}

/** The rule by which an extension is offered in some revisions; undefined for all. */
export function offeredIn(extension: OfferedExtension): MethodTraits['in'] {
  if (typeof extension.settings !== 'function') return undefined;
  return (revision) => settingsIn(extension, revision) !== undefined;
}

/** Returns a method that exists only in the revisions with its extension. */
export function offeredMethod(method: Method, extension: OfferedExtension): Method {
  const offered = offeredIn(extension);
  if (offered === undefined) return method;
  const spoken = method.in;
  const both = (revision: RevisionTraits) => offered(revision) && (spoken === undefined || spoken(revision));
  return { ...method, in: both };
}

/** The error for a client that did not declare an extension that it needs. */
export function undeclared(id: string, what: string): MissingCapabilityError {
  return new MissingCapabilityError(
    { extensions: { [id]: {} } },
    `${what} needs a client that declares the extension "${id}".`,
  );
}

class Names {
  readonly #what: string;
  readonly #seen = new Set<string>();

  constructor(what: string) {
    this.#what = what;
  }

  add(name: string, extension: OfferedExtension): void {
    if (this.#seen.has(name)) throw twice(this.#what, name, extension);
    this.#seen.add(name);
  }
}

function twice(what: string, name: string, { id }: OfferedExtension): TypeError {
  return new TypeError(`Extension "${id}": the ${what} "${name}" is there already.`);
}
