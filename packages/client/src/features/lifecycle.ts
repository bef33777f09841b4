import type { Session } from '../session.js';

/**
 * Asks whether the server is still there.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/ping
 */
export async function ping(session: Session): Promise<void> {
  await session.endpoint.request('ping', {});
}
