import type { ErrorReport } from './child-messages.js';
import type { ListChange } from './lists/list-snapshot.js';

/** An event of a server in development. Durations are in milliseconds. */
export type DevEvent =
  /** Clients can connect. `url` is absent over stdio. */
  | { readonly type: 'listening'; readonly url?: string }
  /** The server started for the first time, or again after a failure. */
  | { readonly type: 'started'; readonly ms: number }
  /** The server runs the changed files. */
  | {
      readonly type: 'reloaded';
      readonly ms: number;
      readonly files: readonly string[];
      readonly changes: readonly ListChange[];
    }
  /** The server does not start. The next change of a file starts it again. */
  | { readonly type: 'failed'; readonly error: ErrorReport; readonly hint?: string }
  /** The server has ended by itself. */
  | {
      readonly type: 'crashed';
      readonly code: number | null;
      readonly signal: string | null;
      /** Milliseconds until it is started again; absent: after the next change of a file. */
      readonly restartIn?: number;
    }
  /** A request of a client was answered. */
  | CallEvent
  /** The server requests input of the user, such as an elicitation. */
  | { readonly type: 'input'; readonly client: string; readonly method: string; readonly message?: string }
  /** A log message for a client. */
  | { readonly type: 'log'; readonly level: string; readonly logger?: string; readonly data: unknown }
  /** An error that no client receives, such as the one that a handler threw. */
  | { readonly type: 'error'; readonly where: string; readonly error: ErrorReport }
  /** A line that the server printed. */
  | { readonly type: 'output'; readonly line: string }
  /** Something that the user should know. */
  | { readonly type: 'note'; readonly message: string };

/** A request of a client, and its outcome. */
export interface CallEvent {
  readonly type: 'call';
  /** The name in the client info; `client` if it is unknown. */
  readonly client: string;
  readonly method: string;
  /** The tool, prompt or resource. */
  readonly name?: string;
  readonly ms: number;
  /**
   * `tool-error`: a result with `isError`. `input`: the client is to answer input requests first. `no-server`: no server runs, which the
   * client received as an error.
   */
  readonly outcome: 'ok' | 'tool-error' | 'error' | 'input' | 'cancelled' | 'no-server';
  /** The message of the error, or the reason of a cancellation. */
  readonly message?: string;
}
