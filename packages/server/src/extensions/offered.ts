import type {
  CapabilitySettings,
  ExtensionSettings,
  Extensions,
  Meta,
  Method,
  MethodTraits,
  Revision,
  RevisionTraits,
  UnknownObject,
} from '@tenon/mcp-protocol';
import { type ExtendedRevisions, isObject, settingsIn } from '@tenon/mcp-protocol/internal';
import { MissingCapabilityError } from '@tenon/mcp-session';

/** A member of the filter of `subscriptions/listen`. */
export interface ListenFilter {
  /** Returns the problem of a value, to follow its name in a sentence; undefined accepts the value. */
  check(value: unknown): string | undefined;
}

/** An option that authors give to `server.tool`. */
export interface ToolOption<Value = unknown> {
  /** Returns the problem of a value, to follow its name in a sentence; undefined accepts the value. Default: accepts all. */
  check?(value: unknown, tool: { readonly name: string }): string | undefined;
  /** Metadata of the tool that follow from the value. Default: none. */
  meta?(value: Value, tool: { readonly name: string }): Meta | undefined;
}

/** What an extension offers before any of its code runs. `Options` are the options it adds to `server.tool`, by name. */
export interface OfferedExtension<Id extends string = string, Options extends object = object> {
  /** With a prefix, such as `com.example/search`. */
  readonly id: Id;
  /** What the server advertises. Default: `{}` in every revision. */
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

/** The extensions of one server, and what they contribute beside methods. */
export class OfferedExtensions {
  readonly all: readonly OfferedExtension[];
  readonly toolOptions: ReadonlyMap<string, ToolOption>;
  /** Members of the listen filter, and the extension each belongs to. */
  readonly filters: ReadonlyMap<
    string,
    { readonly filter: ListenFilter; readonly extension: OfferedExtension }
  >;
  readonly #settings = new Map<Revision, Extensions | undefined>();

  /**
   * Adds to the revisions what the extensions need there.
   * @throws TypeError if two extensions contribute the same name, or one of the core.
   */
  constructor(extensions: readonly OfferedExtension[], spoken: ExtendedRevisions) {
    this.all = extensions;
    const ids = new Names('extension');
    const types = new Names('result type');
    const options = new Map<string, ToolOption>();
    const filters = new Map<string, { filter: ListenFilter; extension: OfferedExtension }>();
    for (const extension of extensions) {
      ids.add(extension.id, extension);
      const offered = offeredIn(extension);
      spoken.carryExtensions(offered);
      for (const type of extension.resultTypes ?? []) {
        types.add(type, extension);
        if (coreTypes.has(type))
          throw new TypeError(`Extension "${extension.id}": the result type "${type}" belongs to the core.`);
        spoken.addResultType('tools/call', type, offered);
      }
      for (const [name, option] of Object.entries(extension.toolOptions ?? {})) {
        if (options.has(name)) throw twice('tool option', name, extension);
        options.set(name, option as ToolOption);
      }
      for (const [key, filter] of Object.entries(extension.filters ?? {})) {
        if (filters.has(key)) throw twice('filter', key, extension);
        spoken.addListenFilter(key, offered);
        filters.set(key, { filter, extension });
      }
    }
    this.toolOptions = options;
    this.filters = filters;
  }

  /** What is advertised in a revision; undefined for nothing. */
  in(revision: Revision): Extensions | undefined {
    if (this.all.length === 0) return undefined;
    if (!this.#settings.has(revision)) {
      const offered = this.all.flatMap((one): [string, CapabilitySettings][] => {
        const settings = settingsIn(one.settings, revision);
        return settings === undefined ? [] : [[one.id, settings]];
      });
      this.#settings.set(revision, offered.length === 0 ? undefined : Object.fromEntries(offered));
    }
    return this.#settings.get(revision);
  }

  /** What a client declared in a handshake, of the extensions that are offered there. */
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
}

/** The rule by which an extension is offered in some revisions; undefined for all. */
export function offeredIn({ settings }: OfferedExtension): MethodTraits['in'] {
  return typeof settings === 'function' ? (revision) => settings(revision) !== undefined : undefined;
}

/** A method in those revisions only in which its extension is offered. */
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
  return new TypeError(`Extension "${id}": there is a ${what} "${name}" already.`);
}
