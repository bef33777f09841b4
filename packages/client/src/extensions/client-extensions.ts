import {
  type CapabilitySettings,
  type Extensions,
  type Method,
  type Notice,
  type Revision,
  type RevisionTraits,
  SessionError,
} from '@tenon/mcp-protocol';
import { type ExtendedRevisions, negotiated } from '@tenon/mcp-protocol/internal';
import type { Session } from '../session.js';
import { type ClientExtension, offeredIn, type ResultType, requireExtension } from './extension.js';

/** What a client declares its extensions by. */
export interface DeclaredExtensions {
  readonly extensions: readonly ClientExtension[];
  /** Extensions that signing in implements, with their settings. They are declared in stateless revisions. */
  readonly signIn: Extensions | undefined;
  /** Receives the result types, filters and capabilities of the extensions. */
  readonly spoken: ExtendedRevisions;
}

/** A result type, and the extension it belongs to. */
export interface OwnedResultType extends ResultType {
  readonly id: string;
}

/** The extensions of one client: what each revision declares of them, and whether one is in use with a server. */
export class ClientExtensions {
  readonly #declared = new Map<RevisionTraits, Extensions>();
  readonly #filters = new Map<string, string>();
  readonly #resultTypes = new Map<unknown, OwnedResultType>();

  /** @throws TypeError for an extension that is malformed, or that has an id, filter or result type of another. */
  constructor({ extensions, signIn, spoken }: DeclaredExtensions) {
    const ids = new Map<string, string>();
    const notices = new Map<string, string>();
    for (const extension of extensions) {
      requireExtension(extension);
      const { id, filters = [], notifications = [], resultTypes = [] } = extension;
      claim(ids, id, { id, what: 'The extension' });
      for (const { notice } of notifications)
        claim(notices, notice.name, { id, what: `Extension "${id}": the notification` });
      for (const key of filters) claim(this.#filters, key, { id, what: `Extension "${id}": the filter` });
      for (const type of resultTypes) this.#addResultType({ ...type, id });
    }
    for (const revision of spoken.all) this.#declared.set(revision, declaredIn(revision, extensions, signIn));
    const offered = (id: string) => (revision: RevisionTraits) => this.#offers(id, revision);
    for (const [key, id] of this.#filters) spoken.addListenFilter(key, offered(id));
    for (const { type, id } of this.#resultTypes.values())
      spoken.addResultType('tools/call', type, offered(id));
    if (extensions.length > 0)
      spoken.carryExtensions((revision) => extensions.some(({ id }) => this.#offers(id, revision)));
  }

  /** Names of the filters, as `watch` accepts them. */
  get filters(): readonly string[] {
    return [...this.#filters.keys()];
  }

  /** What this client declares in a revision; undefined for nothing. */
  declaredIn(revision: Revision): Extensions | undefined {
    const declared = this.#declared.get(revision);
    for (const _ in declared) return declared;
    return undefined;
  }

  /** The server's settings of an extension that both ends declare; undefined where it must not be used. */
  settings<Id extends keyof Extensions & string>(
    id: Id,
    { revision, capabilities }: Session,
  ): Extensions[Id] | undefined {
    return negotiated(id, this.#declared.get(revision), capabilities.extensions);
  }

  /**
   * Makes sure that an extension is in use.
   * @param what - needs it, as the message names it.
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

  /** Makes sure that the extensions of filters are in use. @throws SessionError `capability-missing`. */
  requireFilters(filters: object, session: Session): void {
    for (const key of Object.keys(filters))
      this.requireInUse(this.#filters.get(key) ?? key, session, `the filter "${key}"`);
  }

  /** The result type of that name; undefined where no extension has it. */
  resultType(type: unknown): OwnedResultType | undefined {
    return this.#resultTypes.get(type);
  }

  /** The method or notification, in revisions alone where its extension is offered. */
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

function declaredIn(
  revision: Revision,
  extensions: readonly ClientExtension[],
  signIn: Extensions | undefined,
): Extensions {
  const declared: Record<string, CapabilitySettings | undefined> = {
    ...(revision.lifecycle === 'stateless' && signIn),
  };
  for (const extension of extensions) {
    const settings = offeredIn(extension, revision);
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
