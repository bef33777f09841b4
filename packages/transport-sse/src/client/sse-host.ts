import type { Authorizer, Clock } from '@tenon/mcp-protocol';
import type { HttpLimits, Outlet, RequestHeaders } from '@tenon/mcp-transport-http/client';
import type { SseLimits } from './sse-limits.js';

/** What every request of one connection needs. */
export interface SseHost extends Outlet {
  readonly headers: RequestHeaders;
  readonly limits: SseLimits & HttpLimits;
  readonly clock: Clock;
}

/** What a connection is made of. */
export interface SseParts extends Omit<SseHost, 'auth'> {
  readonly authorizer?: Authorizer | undefined;
}

/** Bytes taken of a body that nobody reads, or that only tells people what went wrong. */
export const maxIdleBytes = 65_536;
