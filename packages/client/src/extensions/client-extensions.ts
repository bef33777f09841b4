import {
  type CapabilitySettings,
  type CustomNotification,
  type Extensions,
  type Method,
  type Revision,
  type RevisionTraits,
  SessionError,
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
import type { ExtensionFilters } from '../features/subscriptions/watcher.js';
import type { Session } from '../session/session.js';
import type { ClientContributions, ResultType } from './extension.js';

/** A result type, and the extension it belongs to. */
export interface OwnedResultType extends ResultType {
  readonly id: string;
}

/** The extensions of one client: their settings in each revision, and whether one is in use with a server. */
export class ClientExtensions implements ExtensionFilters {
  readonly #declared = new Map<RevisionTraits, Extensions>();
  /** The extensions that implement capabilities of the core, by revision. */
  readonly #inCore = new Map<RevisionTraits, ReadonlyMap<string, ClientContributions>>();
  readonly #filters = new Map<string, string>();
  readonly #resultTypes = new Map<unknown, OwnedResultType>();
  /** The result types of calls that may outlast their requests. */
  readonly outlasting: OwnedResultType[] = [];

  /**
   * @param spoken - receives the result types, filters and capabilities of the extensions.
   * @throws TypeError for an extension that has an id, notification, filter or result type of another.
   */
  constructor(extensions: readonly ClientContributions[], spoken: ExtendedRevisions) {
    const ids = new Map<string, string>();
    const notificationOwners = new Map<string, string>();
    for (const { id, filters = [], notifications = [], resultTypes = [] } of extensions) {
      claim(ids, id, { id, what: 'The extension' });
      for (const { notification } of notifications)
        claim(notificationOwners, notification.name, { id, what: `Extension "${id}": the notification` });
      for (const key of filters) claim(this.#filters, key, { id, what: `Extension "${id}": the filter` });
      for (const type of resultTypes) this.#addResultType({ ...type, id });
    }
    for (const revision of spoken.all) {
      this.#declared.set(revision, declaredIn(revision, extensions));
      this.#inCore.set(revision, inCoreOf(revision, extensions));
    }
    const offered = (id: string) => (revision: RevisionTraits) => this.#offers(id, revision);
    for (const [key, id] of this.#filters) addListenFilter(spoken, key, offered(id));
    for (const { type, id } of this.#resultTypes.values()) addResultType(spoken, type, offered(id));
    carryExtensions(spoken, (revision) => Object.keys(this.#declared.get(revision) ?? {}).length > 0);
  }

  get names(): readonly string[] {
    return [...this.#filters.keys()];
  }

  /** Returns the declared settings of an extension in a revision; undefined if it is not offered. */
  declared(id: string, revision: Revision): CapabilitySettings | undefined {
    return this.#declared.get(revision)?.[id];
  }

  /**
   * Returns the server's settings of an extension that both ends declare, or none if the server offers its subject in the core protocol;
   * undefined if it must not be used.
   */
  settings(id: string, { revision, capabilities }: Session): CapabilitySettings | undefined {
    const settings = negotiated(id, this.#declared.get(revision), capabilities.extensions);
    if (settings !== undefined) return settings;
    const extension = this.#inCore.get(revision)?.get(id);
    return extension?.inCore?.(capabilities, revision) === true ? noSettings : undefined;
  }

  /**
   * Checks that an extension is in use.
   * @param what - the name of the feature that needs it, for the message.
   * @throws SessionError `capability-missing`.
   */
  requireInUse(id: string, session: Session, what: string): void {
    if (this.settings(id, session) !== undefined) return;
    throw new SessionError(
      'capability-missing',
      `The extension "${id}", which ${what} needs, is not in use: ${
        this.#offers(id, session.revision)
          ? 'the server did not declare it'
          : `this client does not offer it in ${session.revision.id}`
      }.`,
    );
  }

  require(filters: object, session: Session): void {
    for (const key of Object.keys(filters))
      this.requireInUse(this.#filters.get(key) ?? key, session, `the filter "${key}"`);
  }

  /** Returns the result type that a result has; undefined if no extension has it. */
  resultTypeOf(result: UnknownObject): OwnedResultType | undefined {
    if (result.resultType !== undefined) return this.#resultTypes.get(result.resultType);
    if (result.content !== undefined) return undefined;
    for (const type of this.#resultTypes.values()) if (type.matches?.(result) === true) return type;
    return undefined;
  }

  /** Returns the method or notification, limited to revisions in which its extension is offered. */
  within<Defined extends Method | CustomNotification>(id: string, definition: Defined): Defined {
    const { in: spoken } = definition;
    const isIn = (revision: RevisionTraits) =>
      this.#offers(id, revision) && (spoken === undefined || spoken(revision));
    return { ...definition, in: isIn };
  }

  #offers(id: string, revision: RevisionTraits): boolean {
    const settings = Object.hasOwn(this.#declared.get(revision) ?? {}, id);
    return settings || this.#inCore.get(revision)?.has(id) === true;
  }

  #addResultType(type: OwnedResultType): void {
    const other = this.#resultTypes.get(type.type);
    if (other !== undefined) throw taken(`Extension "${type.id}": the result type`, type.type, other.id);
    this.#resultTypes.set(type.type, type);
    if (type.outlasts !== undefined) this.outlasting.push(type);
  }
}

function declaredIn(revision: Revision, extensions: readonly ClientContributions[]): Extensions {
  const declared: Record<string, CapabilitySettings | undefined> = {};
  for (const extension of extensions) {
    const settings = settingsIn(extension, revision);
    if (settings !== undefined) declared[extension.id] = settings;
  }
  return declared;
}

/** The extensions that implement capabilities of the core in a revision. */
function inCoreOf(
  revision: Revision,
  extensions: readonly ClientContributions[],
): ReadonlyMap<string, ClientContributions> {
  const found = new Map<string, ClientContributions>();
  for (const extension of extensions) {
    const capabilities: unknown = extension.capabilities?.(revision, {});
    if (capabilities === undefined) continue;
    if (!isObject(capabilities))
      throw new TypeError(`Extension "${extension.id}": capabilities must return an object, or undefined.`);
    found.set(extension.id, extension);
  }
  return found;
}

const noSettings: CapabilitySettings = Object.freeze({});

function claim(
  names: Map<string, string>,
  name: string,
  { id, what }: { readonly id: string; readonly what: string },
): void {
  const other = names.get(name);
  if (other !== undefined) throw taken(what, name, other);
  names.set(name, id);
}

function taken(what: string, name: string, other: string): TypeError {
  return new TypeError(
    other === name ? `${what} "${name}" is given twice.` : `${what} "${name}" belongs to "${other}" already.`,
  );
}
