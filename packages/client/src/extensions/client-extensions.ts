import {
  type CapabilitySettings,
  type Extensions,
  type Method,
  type Notice,
  type Revision,
  type RevisionTraits,
  SessionError,
} from '@tenon/mcp-protocol';
import {
  addListenFilter,
  addResultType,
  carryExtensions,
  type ExtendedRevisions,
  negotiated,
  settingsIn,
} from '@tenon/mcp-protocol/internal';
import type { Session } from '../session/session.js';
import type { ClientContributions, ResultType } from './extension.js';
import type { ExtensionFilters } from './installation.js';

/** A result type, and the extension it belongs to. */
export interface OwnedResultType extends ResultType {
  readonly id: string;
}

/** The extensions of one client: their settings in each revision, and whether one is in use with a server. */
export class ClientExtensions implements ExtensionFilters {
  readonly #declared = new Map<RevisionTraits, Extensions>();
  readonly #filters = new Map<string, string>();
  readonly #resultTypes = new Map<unknown, OwnedResultType>();

  /**
   * @param spoken - receives the result types, filters and capabilities of the extensions.
   * @throws TypeError for an extension that has an id, notification, filter or result type of another.
   */
  constructor(extensions: readonly ClientContributions[], spoken: ExtendedRevisions) {
    const ids = new Map<string, string>();
    const notices = new Map<string, string>();
    for (const { id, filters = [], notifications = [], resultTypes = [] } of extensions) {
      claim(ids, id, { id, what: 'The extension' });
      for (const { notice } of notifications)
        claim(notices, notice.name, { id, what: `Extension "${id}": the notification` });
      for (const key of filters) claim(this.#filters, key, { id, what: `Extension "${id}": the filter` });
      for (const type of resultTypes) this.#addResultType({ ...type, id });
    }
    for (const revision of spoken.all) this.#declared.set(revision, declaredIn(revision, extensions));
    const offered = (id: string) => (revision: RevisionTraits) => this.#offers(id, revision);
    for (const [key, id] of this.#filters) addListenFilter(spoken, key, offered(id));
    for (const { type, id } of this.#resultTypes.values()) addResultType(spoken, type, offered(id));
    carryExtensions(spoken, (revision) => extensions.some(({ id }) => this.#offers(id, revision)));
  }

  get names(): readonly string[] {
    return [...this.#filters.keys()];
  }

  /** Returns the declared settings of an extension in a revision; undefined if it is not offered. */
  declared(id: string, revision: Revision): CapabilitySettings | undefined {
    return this.#declared.get(revision)?.[id];
  }

  /** Returns the server's settings of an extension that both ends declare; undefined if it must not be used. */
  settings<Id extends keyof Extensions & string>(
    id: Id,
    { revision, capabilities }: Session,
  ): Extensions[Id] | undefined {
    return negotiated(id, this.#declared.get(revision), capabilities.extensions);
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

  /** Returns the result type of that name; undefined if no extension has it. */
  resultType(type: unknown): OwnedResultType | undefined {
    return this.#resultTypes.get(type);
  }

  /** Returns the method or notification, limited to revisions in which its extension is offered. */
  within<Definition extends Method | Notice>(id: string, definition: Definition): Definition {
    const { in: spoken } = definition;
    const isIn = (revision: RevisionTraits) =>
      this.#offers(id, revision) && (spoken === undefined || spoken(revision));
    return { ...definition, in: isIn };
  }

  #offers(id: string, revision: RevisionTraits): boolean {
    return Object.hasOwn(this.#declared.get(revision) ?? {}, id);
  }

  #addResultType(type: OwnedResultType): void {
    const other = this.#resultTypes.get(type.type);
    if (other !== undefined) throw taken(`Extension "${type.id}": the result type`, type.type, other.id);
    this.#resultTypes.set(type.type, type);
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
