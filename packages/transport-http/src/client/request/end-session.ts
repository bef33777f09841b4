import type { Clock } from '@tenon/foundation';
import type { HttpClientBounds } from './http-limits.js';
import { HttpRequest, type RequestPorts } from './http-request.js';
import type { RequestHeaders } from './request-headers.js';

/** The parts of the connection that are used to end a session. */
export interface EndSessionPorts extends RequestPorts {
  readonly headers: RequestHeaders;
  readonly limits: Pick<HttpClientBounds, 'closeWaitMs'>;
  readonly clock: Clock;
}

/**
 * Sends the DELETE that ends the session. Resolves after any response or failure, after `closeWaitMs` at the latest, because
 * servers need not support it.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
 */
export function endSession(ports: EndSessionPorts): Promise<void> {
  const { clock, headers, limits } = ports;
  return new Promise((resolve) => {
    const done = () => {
      cancel();
      request.abort();
      resolve();
      return undefined;
    };
    const request = new HttpRequest(
      ports,
      { method: 'DELETE', noSignIn: true, headers: () => headers.other('DELETE', undefined) },
      { head: done, failed: done },
    );
    const cancel = clock.schedule(done, limits.closeWaitMs, true);
    request.send();
  });
}
