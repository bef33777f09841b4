import type { Session } from '../session/session.js';

/**
 * Pings the server.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/ping
 */
export async function ping(session: Session): Promise<void> {
  await session.endpoint.request('ping', {});
}
