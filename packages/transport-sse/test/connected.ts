import { onTestFinished } from 'vitest';
import { Recorder } from '../../../tooling/suite/recorder.js';
import { FakeClock } from '../../testing/src/fake-clock.js';
import type { SseConnection } from '../src/client/sse-connection.js';
import { openSse, type SseConnectionOptions } from '../src/client.js';
import { type Script, ScriptedSse } from './scripted-sse.js';

/** A client's connection, and the scripted server it is connected to. */
export interface Connected {
  readonly server: ScriptedSse;
  readonly connection: SseConnection;
  readonly receiver: Recorder;
  readonly clock: FakeClock;
}

/** Opens a connection to a scripted server; both are closed after the test. */
export async function connected(
  given: SseConnectionOptions & { onGet?: Script; onPost?: Script } = {},
): Promise<Connected> {
  const { onGet, onPost, ...options } = given;
  const server = await ScriptedSse.start({ ...(onGet && { onGet }), ...(onPost && { onPost }) });
  const clock = new FakeClock();
  const connection = await openSse(server.url, { clock, ...options })();
  onTestFinished(() => connection.close());
  const receiver = new Recorder();
  connection.start(receiver);
  return { server, connection, receiver, clock };
}
