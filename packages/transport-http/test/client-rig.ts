import type { Envelope, Revision } from '@tenon/mcp-protocol';
import { revision20251125 } from '@tenon/mcp-protocol/internal';
import { onTestFinished } from 'vitest';
import { Recorder } from '../../../tooling/suite/recorder.js';
import type { HttpConnection } from '../src/client/connection/http-connection.js';
import { type HttpConnectionOptions, openHttp } from '../src/client.js';
import { type HttpScript, ScriptedHttp } from './client-scripted-server.js';

/** A connection to a scripted server. */
export interface Rig {
  readonly server: ScriptedHttp;
  readonly connection: HttpConnection;
  readonly receiver: Recorder;
  /** Sends a request with an id. */
  ask(id: number, method?: string, envelope?: Envelope): Promise<void>;
  /** Sends a notification. */
  tell(method: string): Promise<void>;
  /** Opens a session: sends `initialize` and the notification after it. */
  initialize(): Promise<void>;
}

/** Starts the client and the server, and closes them after the test. */
export async function rig(
  script: HttpScript,
  options: HttpConnectionOptions & { revision?: Revision } = {},
): Promise<Rig> {
  const { revision = revision20251125, ...given } = options;
  const server = await ScriptedHttp.start(script);
  const connection = await openHttp(server.url, given)();
  const receiver = new Recorder();
  connection.start(receiver);
  connection.settled(revision);
  onTestFinished(async () => {
    await Promise.all([connection.close(), server.close()]);
  });
  const ask: Rig['ask'] = (id, method = 'tools/call', envelope = {}) =>
    connection.send(JSON.stringify({ jsonrpc: '2.0', id, method, params: {} }), { id, ...envelope });
  const tell: Rig['tell'] = (method) => connection.send(JSON.stringify({ jsonrpc: '2.0', method }), {});
  const initialize = async () => {
    await ask(0, 'initialize', { opening: true });
    await tell('notifications/initialized');
  };
  return { server, connection, receiver, ask, tell, initialize };
}

/** Answers the requests that open a session, and passes all others to another script. */
export function session(rest: HttpScript, id = 'secret-id'): HttpScript {
  return (call) => {
    if (call.method === 'POST' && call.message.method === 'initialize') {
      call.result({}, { 'mcp-session-id': id });
    } else if (call.method === 'POST' && call.message.method === 'notifications/initialized') call.raw(202);
    else if (call.method === 'DELETE') call.raw(204);
    else rest(call);
  };
}
