import {
  type CapabilitySettings,
  type ClientCapabilities,
  ErrorCode,
  type ExtensionSettings,
  type Extensions,
  type Meta,
  type Method,
  type MethodTraits,
  type Principal,
  type Revision,
  type RevisionTraits,
  RpcError,
  type ServerCapabilities,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import {
  addListenFilter,
  addResultType,
  carryExtensions,
  carryMetadata,
  type ExtendedRevisions,
  isObject,
  negotiated,
  settingsIn,
} from '@tenon/mcp-protocol/internal';
import { type IncomingRequest, MissingCapabilityError } from '@tenon/mcp-session';
import type { GivenOptions, ListedMembers, OwnMember, ServerExtensions } from '../core/capabilities.js';
import { isToolOption } from '../features/tool-options.js';
import type { Rule } from '../registration/members.js';

/** A member of the filter of `subscriptions/listen`. */
export interface ListenFilter {
  /** Returns the problem of a value, to follow its name in a sentence; undefined accepts the value. */
  check(value: unknown): string | undefined;
  /**
   * Returns the part of a checked value that the caller may listen to: the client receives it in the acknowledgement, and
   * `publish` matches it. Undefined leaves the member out. Default: the whole value.
   * @throws RpcError to reject the request.
   */
  accept?(value: unknown, caller: ListenCaller): unknown;
}

/** The caller of `subscriptions/listen`. */
export interface ListenCaller {
  /** Undefined if the transport did not authenticate the caller. */
  readonly principal: Principal | undefined;
  readonly revision: RevisionTraits;
  readonly clientCapabilities: ClientCapabilities;
}

/** An option of `server.tool`. */
export interface ToolOption<Value = unknown> {
  /** Returns the problem of a value, to follow its name in a sentence; undefined accepts the value. Default: accepts all. */
  check?(value: unknown, tool: { readonly name: string }): string | undefined;
  /** Metadata of the tool that follow from the value. Default: none. */
  meta?(value: Value, tool: { readonly name: string }): Meta | undefined;
  /** Members of the listed tool that follow from the value, in revisions with such members. Default: none. */
  entry?(value: Value, tool: { readonly name: string }): ListedMembers | undefined;
}

/** The declaration of an extension, without its code. `Options` are the options that it adds to `server.tool`, by name. */
export interface OfferedExtension<Id extends string = string, Options extends object = object> {
  /** With a prefix, such as `com.example/search`. */
  readonly id: Id;
  /** The settings that the server advertises. Default: `{}` in every revision. */
  readonly settings?: ExtensionSettings<Id>;
  /**
   * The capabilities of the core protocol that the extension implements in a revision which leaves them to extensions: any that the core
   * of Tenon does not implement, such as `tasks` of 2025-11-25. The extension is then offered in that revision, also without settings. Default: none.
   */
  capabilities?(revision: RevisionTraits): ServerCapabilities | undefined;
  /**
   * False, or a function that returns false for a revision, if clients use the extension without declaring it. Default true: its
   * methods and filters are refused with -32021 to clients that did not declare it.
   */
  readonly clientDeclares?: boolean | ((revision: RevisionTraits) => boolean);
  /**
   * True if the extension works only with state that processes share. A server without such a state is then made without the extension.
   * Default: false.
   */
  readonly needsSharedState?: boolean;
  /** Members of the filter of `subscriptions/listen`, by name. */
  readonly filters?: Readonly<Record<string, ListenFilter>>;
  /** Options of `server.tool`, by name. */
  readonly toolOptions?: { readonly [Name in keyof Options]: ToolOption<Options[Name]> };
  /** Result types that `interceptToolCall` may return, such as `task`. */
  readonly resultTypes?: readonly string[];
}

/** Result types of the core: no extension may declare one. */
const coreTypes: ReadonlySet<string> = new Set(['complete', 'input_required']);

/** Capabilities that the core implements, or that the options of the server set. */
const implemented: ReadonlySet<string> = new Set<keyof ServerCapabilities>([
  'experimental',
  'extensions',
  'logging',
  'completions',
  'prompts',
  'resources',
  'tools',
]);

/** The extensions of one server, and their contributions to the features of the core. */
export class OfferedExtensions implements ServerExtensions {
  readonly #all: readonly OfferedExtension[];
  readonly #toolOptions = new Map<string, ToolOption>();
  /** Members of the listen filter, and the extension each belongs to. */
  readonly #filters = new Map<
    string,
    { readonly filter: ListenFilter; readonly extension: OfferedExtension }
  >();
  readonly #settings = new Map<Revision, Extensions | undefined>();
  /** The capabilities of the core that extensions implement, in the revisions that have some. */
  readonly #capabilities = new Map<Revision, ServerCapabilities>();

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
    const isOffered = (revision: RevisionTraits) =>
      extensions.some((one) => settingsIn(one, revision) !== undefined);
    carryExtensions(spoken, isOffered);
    carryMetadata(spoken, isOffered);
    for (const revision of spoken.all) this.#addCapabilities(revision);
  }

  /** Returns the capabilities of the core that extensions implement in a revision; undefined if there are none. */
  capabilitiesIn(revision: Revision): ServerCapabilities | undefined {
    return this.#capabilities.get(revision);
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

  /**
   * Returns the options of extensions among the options of a tool.
   * @throws TypeError if an option sets a member of the tool that no option may set, or that another one sets.
   */
  toolOptions(name: string, options: object): GivenOptions {
    const values: Record<string, unknown> = {};
    let meta: Meta | undefined;
    let entry: ListedMembers | undefined;
    for (const [option, rule] of this.#toolOptions) {
      const value = (options as UnknownObject)[option];
      if (value === undefined) continue;
      values[option] = value;
      meta = { ...meta, ...rule.meta?.(value, { name }) };
      const more = rule.entry?.(value, { name });
      if (more !== undefined) entry = withMembers(entry, more, `Tool "${name}": the option "${option}"`);
    }
    return { values, meta, entry };
  }

  /**
   * Returns the accepted members of a listen filter that belong to extensions which are offered in the revision; a promise if
   * one depends on the caller.
   * @throws RpcError invalid params if an extension rejects a value; MissingCapabilityError if the client did not declare it.
   */
  listenFilters(
    { from, revision, principal }: IncomingRequest,
    wanted: UnknownObject,
  ): UnknownObject | Promise<UnknownObject> {
    const chosen: [key: string, value: unknown][] = [];
    let isLate = false;
    for (const [key, { filter, extension }] of this.#filters) {
      const value = Object.hasOwn(wanted, key) ? wanted[key] : undefined;
      if (value === undefined || !isOfferedIn(extension, revision)) continue;
      this.requireDeclared(extension, { from, revision }, `The filter "${key}"`);
      const problem = filter.check(value);
      if (problem !== undefined)
        throw new RpcError(ErrorCode.invalidParams, `params.notifications.${key} ${problem}`);
      chosen.push([key, value]);
      if (filter.accept !== undefined) isLate = true;
    }
    if (!isLate) return Object.fromEntries(chosen);
    return this.#accepted(chosen, { principal, revision, clientCapabilities: from.clientCapabilities });
  }

  async #accepted(
    chosen: readonly (readonly [key: string, value: unknown])[],
    caller: ListenCaller,
  ): Promise<UnknownObject> {
    const accepted: Record<string, unknown> = {};
    for (const [key, value] of chosen) {
      const filter = this.#filters.get(key)?.filter;
      const part = filter?.accept === undefined ? value : await filter.accept(value, caller);
      if (part !== undefined) accepted[key] = part;
    }
    return accepted;
  }

  /** @throws MissingCapabilityError if the client must declare the extension in this revision, and did not. */
  requireDeclared(
    extension: OfferedExtension,
    { from, revision }: Pick<IncomingRequest, 'from' | 'revision'>,
    what: string,
  ): void {
    if (!mustDeclare(extension, revision)) return;
    const { id } = extension;
    if (negotiated(id, this.in(revision), from.clientCapabilities.extensions) === undefined)
      throw undeclared(id, what);
  }

  #addCapabilities(revision: Revision): void {
    for (const extension of this.#all) {
      const { id } = extension;
      const capabilities = capabilitiesIn(extension, revision);
      if (capabilities === undefined) continue;
      const taken = this.#capabilities.get(revision) ?? {};
      for (const name of Object.keys(capabilities)) {
        if (implemented.has(name))
          throw new TypeError(
            `Extension "${id}": the capability "${name}" belongs to the core: an extension cannot have it.`,
          );
        if (Object.hasOwn(taken, name)) throw twice('capability', name, extension);
      }
      this.#capabilities.set(revision, { ...taken, ...capabilities });
    }
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
  return (revision) => isOfferedIn(extension, revision);
}

/** True if an extension has settings in the revision, or capabilities of its core. */
export function isOfferedIn(extension: OfferedExtension, revision: RevisionTraits): boolean {
  return settingsIn(extension, revision) !== undefined || capabilitiesIn(extension, revision) !== undefined;
}

/** True if clients must declare the extension in the revision before they use it. */
export function mustDeclare({ clientDeclares = true }: OfferedExtension, revision: RevisionTraits): boolean {
  return typeof clientDeclares === 'function' ? clientDeclares(revision) : clientDeclares;
}

/** @throws TypeError if the capabilities are neither an object nor undefined. */
function capabilitiesIn(
  extension: OfferedExtension,
  revision: RevisionTraits,
): ServerCapabilities | undefined {
  const capabilities: unknown = extension.capabilities?.(revision);
  if (capabilities === undefined || isObject(capabilities)) return capabilities;
  throw new TypeError(
    `Extension "${extension.id}": capabilities must return an object, or undefined where it has none.`,
  );
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

const own: Readonly<Record<OwnMember, true>> = {
  name: true,
  title: true,
  description: true,
  icons: true,
  inputSchema: true,
  outputSchema: true,
  annotations: true,
  _meta: true,
};

/** @throws TypeError if a member is not left to extensions, is not an object, or is there already. */
function withMembers(before: ListedMembers = {}, more: ListedMembers, subject: string): ListedMembers {
  for (const [member, value] of Object.entries(more)) {
    const sets = `${subject} sets "${member}"`;
    if (Object.hasOwn(own, member))
      throw new TypeError(`${sets} of the listed tool, which the options of every tool decide.`);
    if (!isObject(value)) throw new TypeError(`${sets} to ${String(value)}: use an object.`);
    if (Object.hasOwn(before, member))
      throw new TypeError(`${sets} of the listed tool, as another option does: use one of them.`);
  }
  return { ...before, ...more };
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
