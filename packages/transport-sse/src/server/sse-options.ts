import type { Clock } from '@tenon/mcp-protocol';
import type { HttpLimits } from '@tenon/mcp-transport-http/server';

/**
 * Bounds that apply to this transport; the defaults are those of every HTTP server. The default of `exchanges` and
 * `exchangesPerPrincipal` is what the server has that the transport is mounted at.
 */
export type SseLimits = Pick<
  HttpLimits,
  | 'bodyBytes'
  | 'exchanges'
  | 'exchangesPerPrincipal'
  | 'nesting'
  | 'sessions'
  | 'sessionsPerPrincipal'
  | 'sessionLifetime'
  | 'keepAlive'
  | 'unread'
>;

/** How the two endpoints behave; everything has a default. */
export interface SseOptions {
  /** Path of the event stream. Default /sse. */
  readonly path?: string | undefined;
  /** Path that clients post their messages to, as they see it. Default /messages. */
  readonly messagesPath?: string | undefined;
  readonly limits?: Partial<SseLimits> | undefined;
  /** Hears of errors nobody else hears of. */
  readonly onError?: ((error: unknown, where: string) => void) | undefined;
  /** Time, for tests. */
  readonly clock?: Clock | undefined;
}
