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
export interface ClientExtension<Id extends string = string> extends ClientContributions<Id> {
  readonly [installation]: Install;
}
