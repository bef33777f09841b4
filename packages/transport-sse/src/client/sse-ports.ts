import type { Clock } from '@tenon/foundation';
import type { Authorizer } from '@tenon/mcp-protocol';
import type { HttpClientLimits } from '@tenon/mcp-transport-http/client';
import type { RequestHeaders, RequestPorts } from '@tenon/mcp-transport-http/client/internal';
import type { SseClientLimits } from './sse-limits.js';

/** The dependencies of the requests of one connection. */
export interface SsePorts extends RequestPorts {
  readonly headers: RequestHeaders;
  readonly limits: SseClientLimits & HttpClientLimits;
  readonly clock: Clock;
}

/** The parts of a connection. */
export interface SseParts extends Omit<SsePorts, 'auth'> {
  readonly authorizer?: Authorizer | undefined;
}
