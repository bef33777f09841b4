import { expect, it } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { linked } from '../../test/linked.js';
import { type Script, ScriptedServer } from '../../test/scripted-server.js';
import { initializeResult } from '../../test/scripts.js';
import type { ClientOptions } from '../options.js';

const silent: Script = { 'server/discover': () => undefined, initialize: () => undefined };

async function outcome(ms: number, options: Partial<ClientOptions> = {}, script = silent): Promise<unknown> {
  const clock = new FakeClock();
  let settled: unknown;
  linked(new ScriptedServer(script), { ...options, clock }).then(
    (client) => {
      settled = client.revision;
      return client.close();
    },
    (error) => {
      settled = error;
    },
  );
  await clock.advance(ms);
  return settled;
}

const text = (ms: number) =>
  `The server did not finish the handshake within ${ms} ms; allow it more with the option "connectTimeout".`;

it.each<[string, Partial<ClientOptions>]>([
  ['the probe is tried first', {}],
  ['the revision is set, of a handshake', { revision: '2025-11-25' }],
  ['the revision is set, without a handshake', { revision: '2026-07-28' }],
])('ends connecting to a silent server after 65 s when %s', async (_, options) => {
  expect(await outcome(64_999, options)).toBeUndefined();
  expect(await outcome(65_000, options)).toMatchObject({ reason: 'timeout', message: text(65_000) });
});

it('gives the handshake the time of a request and of the probe', async () => {
  const options = { limits: { requestTimeout: 3_000 } };
  expect(await outcome(7_999, options)).toBeUndefined();
  expect(await outcome(8_000, options)).toMatchObject({ message: text(8_000) });
});

it('ends connecting after the time of the option', async () => {
  expect(await outcome(1_999, { connectTimeout: 2_000 })).toBeUndefined();
  expect(await outcome(2_000, { connectTimeout: 2_000 })).toMatchObject({ message: text(2_000) });
});

it('waits for a server that is slow to start longer than a request may take, if the option says so', async () => {
  const clock = new FakeClock();
  const slow: Script = {
    initialize: () =>
      new Promise((resolve) => clock.schedule(() => resolve(initializeResult('2025-11-25')), 100_000)),
  };
  const connecting = linked(new ScriptedServer(slow), { clock, connectTimeout: 120_000 });
  await clock.advance(100_000);
  const client = await connecting;
  expect(client.revision).toBe('2025-11-25');
  await client.close();
});
