import { revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../../testing/src/fake-clock.js';
import { type Rig, rig, session } from '../../../test/client-rig.js';
import type { HttpCall } from '../../../test/client-scripted-server.js';
import type { HttpConnectionOptions } from '../../client.js';

/** Records the changes of reachability: the error, or undefined when the server is reachable. */
function heard({ connection }: Rig): string[] {
  const said: string[] = [];
  connection.onReachable((failure) => said.push(failure?.message ?? 'reached'));
  return said;
}

const refused = /nothing listens there \(ECONNREFUSED\)\.$/;

describe('a server that leaves its port', () => {
  it('is unreachable after the first refused request, until one is answered', async () => {
    const one = await rig((call) => call.result(), { revision: revision20260728 });
    const said = heard(one);
    await one.ask(1);
    expect(said).toEqual([]);
    await one.server.stop();
    // It may still be sent on the connection of the first request.
    await expect(one.ask(2)).rejects.toThrow();
    for (const id of [3, 4]) await expect(one.ask(id)).rejects.toThrow(refused);
    expect(said).toEqual([expect.stringMatching(refused)]);
    await one.server.restart();
    for (const id of [5, 6]) await one.ask(id);
    expect(said).toEqual([expect.stringMatching(refused), 'reached']);
  });

  it('is reachable whatever the status of its response', async () => {
    const one = await rig((call) => call.raw(500), { revision: revision20260728 });
    const said = heard(one);
    await one.server.stop();
    await expect(one.ask(1)).rejects.toThrow(refused);
    await one.server.restart();
    await expect(one.ask(2)).rejects.toThrow('HTTP 500');
    expect(said.at(-1)).toBe('reached');
  });
});

describe('failures that do not make a server unreachable', () => {
  it.each<[string, HttpConnectionOptions, (call: HttpCall) => void]>([
    ['a connection that breaks', {}, (call) => call.reset()],
    [
      'headers of the application that fail',
      { headers: () => Promise.reject(new TypeError('no token')) },
      (call) => call.result(),
    ],
  ])('%s', async (_, options, script) => {
    const one = await rig(script, { revision: revision20260728, ...options });
    const said = heard(one);
    await expect(one.ask(1)).rejects.toThrow();
    expect(said).toEqual([]);
  });
});

it('treats a fetch failure without a code as an unreachable server', async () => {
  const fetch = () => Promise.reject(new TypeError('Failed to fetch'));
  const one = await rig((call) => call.result(), { revision: revision20260728, fetch });
  const said = heard(one);
  await expect(one.ask(1)).rejects.toThrow('Failed to fetch');
  expect(said).toEqual([expect.stringContaining('Failed to fetch')]);
});

describe('when nothing listens any more', () => {
  const notice = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };

  /** A session with a call in flight: the stream of the call and that of the session can be resumed. */
  async function calling() {
    const clock = new FakeClock();
    const one = await rig(
      session((call) => {
        call.events();
        if (call.headers['last-event-id'] === 'call-1') call.event({ jsonrpc: '2.0', id: 1, result: {} });
        else call.event(notice, { id: call.method === 'POST' ? 'call-1' : 'session-1' });
      }),
      { clock, random: () => 0 },
    );
    await one.initialize();
    const outcome = one.ask(1).then(
      () => 'answered',
      (error: Error) => error.message,
    );
    await one.receiver.count(3);
    await one.server.stop();
    /** Advances the clock through the waits between attempts until something has happened. */
    const stepUntil = async (event: Promise<unknown>) => {
      let over = false;
      const happened = event.then(() => {
        over = true;
      });
      while (!over) await Promise.race([clock.pass(4_000), happened]);
    };
    const resumed = () => one.server.calls.map(({ headers }) => headers['last-event-id']);
    return { ...one, clock, stepUntil, resumed, outcome };
  }

  it('fails a call after three attempts to resume its stream, and continues the stream of the session', async () => {
    const { server, stepUntil, resumed, outcome, receiver } = await calling();
    await stepUntil(outcome);
    expect(await outcome).toMatch(/was lost, and 3 attempts did not bring it back\. .*\(ECONNREFUSED\)\.$/);
    await server.restart();
    await stepUntil(receiver.count(4));
    expect(resumed().at(-1)).toBe('session-1');
    expect(receiver.ends).toEqual([]);
  });

  it('answers a call on its stream if the server returns before that', async () => {
    const { clock, server, outcome, stepUntil } = await calling();
    for (let waits = 0; waits < 4; waits++) await clock.pass(500);
    await server.restart();
    await stepUntil(outcome);
    expect(await outcome).toBe('answered');
  });
});
