import type { Clock } from '@tenon/foundation';
import type { ReconnectBounds } from '../../session/reconnect-policy.js';
import type { Session } from '../../session/session.js';

/** The changes to watch. */
export interface WatchFilter {
  /** Changes of the list of tools. */
  readonly tools?: boolean;
  /** Changes of the list of prompts. */
  readonly prompts?: boolean;
  /** Changes of the list of resources. */
  readonly resources?: boolean;
  /** Changes of these resources, or of parts of them. */
  readonly uris?: readonly string[];
  /**
   * Filters of extensions, by name. Their notifications go to the extensions; revisions without `subscriptions/listen` send all of
   * them in any case.
   */
  readonly filters?: Readonly<Record<string, unknown>>;
}

/** A change that a watch reports. */
export type Change =
  | { readonly kind: 'tools' | 'prompts' | 'resources' }
  /** The URI may name a part of the watched resource. */
  | { readonly kind: 'resource'; readonly uri: string }
  /** Changes may have been missed while the connection was lost. Read the watched lists and resources again. */
  | { readonly kind: 'gap' }
  /** The watch has ended and reports no more changes. `error` is the reason; undefined if the client was closed. */
  | { readonly kind: 'ended'; readonly error: unknown };

/** A watch of changes. It outlasts lost connections until it is closed. */
export interface Watch {
  /** The part of the filter that the server accepted, at present. */
  readonly honoured: WatchFilter;
  /** Stops the watch. The listener is not called afterwards. */
  close(): Promise<void>;
}

/** The internal state of a watch. */
export interface Watcher {
  readonly filter: WatchFilter;
  readonly listener: (change: Change) => void;
  honoured: WatchFilter;
  closed: boolean;
  /** Ends the listen stream of the watch, in revisions that have such streams. */
  listen: AbortController | undefined;
}

/** The members that extensions add to the filter of `watch`. */
export interface ExtensionFilters {
  readonly names: readonly string[];
  /** Checks that the extensions of filters are in use. @throws SessionError `capability-missing`. */
  require(filters: object, session: Session): void;
}

/** The parts of a client that watches use. */
export interface WatchHost {
  readonly clock: Clock;
  readonly random: () => number;
  /** The delays and attempts for opening a lost stream again. */
  readonly policy: ReconnectBounds;
  /** Marks a session as lost, so that the client replaces it. */
  lose(session: Session, reason: Error): void;
  /** The session at present. */
  session(): Session | undefined;
  /** Calls the listener of a watcher; what it throws is reported. */
  notify(watcher: Watcher, change: Change): void;
}
