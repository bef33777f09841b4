import type { Authorizer, Clock } from '@tenon/mcp-protocol';
import type { HttpClientLimits } from '@tenon/mcp-transport-http/client';
import type { RequestHeaders, RequestPorts } from '@tenon/mcp-transport-http/client/internal';
import type { SseClientLimits } from './sse-limits.js';

/** What the requests of one connection need. */
export interface SsePorts extends RequestPorts {
  readonly headers: RequestHeaders;
  readonly limits: SseClientLimits & HttpClientLimits;
  readonly clock: Clock;
}

/** What a connection is made of. */
export interface SseParts extends Omit<SsePorts, 'auth'> {
  readonly authorizer?: Authorizer | undefined;
}
