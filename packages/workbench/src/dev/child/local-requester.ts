import { type Connection, MetaKey, type Receiver, type Revision } from '@tenon/mcp-protocol';
import type { Requester } from '../lists/list-snapshot.js';

/** The part of a server that is used here. */
export interface AcceptingServer {
  readonly revisions: readonly Revision[];
  accept(connection: Connection): { close(): Promise<void> };
}

/** The name of the client that reads the lists of a server in development. */
const ownClientName = 'tenon dev';

/** Runs a function with a client that is connected to a server of this process. */
export async function withLocalClient<T>(
  server: AcceptingServer,
  use: (request: Requester) => Promise<T>,
): Promise<T> {
  let receiver: Receiver | undefined;
  const connection: Connection = {
    facts: {},
    start(given) {
      receiver = given;
    },
    // Notifications and input requests are for other clients.
    send: () => undefined,
    close: async () => receiver?.closed(),
  };
  const endpoint = server.accept(connection);
  const deliver = async (message: object) => receiver?.receive({ jsonrpc: '2.0', ...message }, connection);
  let id = 0;
  const send: Requester = async (method, params) => {
    const frame = await deliver({ id: ++id, method, params });
    const { result } = JSON.parse(frame ?? '{}') as { result?: Record<string, unknown> };
    if (result === undefined) throw new Error(`The server has no ${method}.`);
    return result;
  };
  try {
    return await use(await introduced(server.revisions[0], send, deliver));
  } finally {
    await endpoint.close();
  }
}

async function introduced(
  revision: Revision | undefined,
  send: Requester,
  deliver: (message: object) => Promise<unknown>,
): Promise<Requester> {
  const clientInfo = { name: ownClientName, version: '1.0.0' };
  if (revision?.lifecycle === 'stateless') {
    const stamp = {
      [MetaKey.protocolVersion]: revision.id,
      [MetaKey.clientInfo]: clientInfo,
      [MetaKey.clientCapabilities]: {},
    };
    return (method, params) => send(method, { ...params, _meta: stamp });
  }
  await send('initialize', { protocolVersion: revision?.id, capabilities: {}, clientInfo });
  await deliver({ method: 'notifications/initialized' });
  return send;
}
