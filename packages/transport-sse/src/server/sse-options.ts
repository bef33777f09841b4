import type { Clock } from '@tenon/foundation';
import type { HttpLimits } from '@tenon/mcp-transport-http/server';

/**
 * Limits of this transport; the defaults are those of every HTTP server. The defaults of `exchanges` and
 * `exchangesPerPrincipal` are the values of the server that the transport is mounted at.
 */
export type SseLimits = Pick<
  HttpLimits,
  | 'bodyBytes'
  | 'exchanges'
  | 'exchangesPerPrincipal'
  | 'sessions'
  | 'sessionsPerPrincipal'
  | 'sessionLifetime'
  | 'keepAlive'
>;

/** Options of the two endpoints; all have defaults. */
export interface SseOptions {
  /** Path of the event stream. Default /sse. */
  readonly path?: string | undefined;
  /**
   * Path for POSTs of clients, as the clients see it. Default /messages. Behind a proxy that strips a prefix, such as `/tools`, write
   * `/tools/messages`: POSTs are served with and without the prefix.
   */
  readonly messagesPath?: string | undefined;
  readonly limits?: Partial<SseLimits> | undefined;
  /** Called with errors that no caller receives. */
  readonly onError?: ((error: unknown, where: string) => void) | undefined;
  /** The clock, for tests. */
  readonly clock?: Clock | undefined;
}
