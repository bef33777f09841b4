import type { Clock } from '@tenon/mcp-session';
import type { ReconnectPolicy } from '../reconnect-policy.js';
import type { Session } from '../session.js';

/** What to watch. */
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

/** What a watch tells. */
export type Change =
  | { readonly kind: 'tools' | 'prompts' | 'resources' }
  /** The URI may name a part of the one that was asked for. */
  | { readonly kind: 'resource'; readonly uri: string }
  /** For a while nobody was listening: what is watched may have changed. Read it again. */
  | { readonly kind: 'gap' }
  /** Nothing more will be told; `error` says why. */
  | { readonly kind: 'ended'; readonly error: unknown };

/** One watch from the inside. */
export interface Watcher {
  readonly filter: WatchFilter;
  readonly listener: (change: Change) => void;
  honoured: WatchFilter;
  closed: boolean;
  /** Ends the stream it listens on, in revisions that have streams. */
  listen: AbortController | undefined;
}

/** What watching needs of its client. */
export interface WatchHost {
  readonly clock: Clock;
  readonly random: () => number;
  /** How a stream that was lost is opened again. */
  readonly policy: ReconnectPolicy;
  /** Gives a session up, so that it is replaced. */
  lose(session: Session, reason: Error): void;
  /** The session at present. */
  session(): Session | undefined;
  /** Calls the listener of a watcher; what it throws is reported. */
  tell(watcher: Watcher, change: Change): void;
}
