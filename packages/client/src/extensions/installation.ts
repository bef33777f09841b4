import type { ExtendedRevisions } from '@tenon/mcp-protocol/internal';
import type { Caller } from '../calls/caller.js';
import type { OpenResults } from '../calls/whole-call.js';
import type { CustomMethods } from '../features/custom-methods.js';
import type { Feature } from '../features/feature.js';
import type { Session } from '../session/session.js';
import type { ClientContributions } from './extension.js';

/** The dependencies of extensions. The caller and the methods exist once the client connects. */
export interface ExtensionHost {
  readonly spoken: ExtendedRevisions;
  readonly caller: Caller;
  readonly methods: CustomMethods;
}

/** The members that extensions add to the filter of `watch`. */
export interface ExtensionFilters {
  readonly names: readonly string[];
  /** Checks that the extensions of filters are in use. @throws SessionError `capability-missing`. */
  require(filters: object, session: Session): void;
}

/** The extensions of one client, as its core uses them. */
export interface InstalledExtensions {
  readonly features: readonly Feature[];
  readonly results: OpenResults;
  readonly filters: ExtensionFilters;
  /**
   * Makes the members that the extensions add to the client.
   * @param prototype - has the members of every client.
   * @returns a function that adds them to the client.
   * @throws TypeError if a name is taken.
   */
  members(prototype: object): (client: object) => void;
}

/**
 * Installs the extensions of a client. The values of `defineExtension` lead to this function, and nothing else in the client does:
 * a bundle that defines no extension does not contain it.
 * @throws TypeError if two extensions contribute the same name.
 */
export type Install = (
  extensions: readonly ClientContributions[],
  host: ExtensionHost,
) => InstalledExtensions;

export const installation: unique symbol = Symbol('installation');

/** An extension for `connect(target, { extensions: [extension] })`, as `defineExtension` returned it. */
export interface ClientExtension<Id extends string = string, Members extends object = object>
  extends ClientContributions<Id, Members> {
  readonly [installation]: Install;
  /**
   * Returns the members that the extension added to a client, also where the type of the client does not have them, as after
   * `connect<typeof server>(...)`.
   * @throws TypeError if the client was made without this extension.
   */
  of(client: object): Members;
}

/** The members that a list of extensions adds to a client. */
export type MembersOf<E extends readonly ClientExtension[]> = (
  E[number] extends infer One
    ? One extends ClientExtension<string, infer Members>
      ? (members: Members) => void
      : never
    : never
) extends (members: infer All extends object) => void
  ? All
  : object;
