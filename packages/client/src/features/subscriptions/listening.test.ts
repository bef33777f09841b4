import { describe, expect, it } from 'vitest';
import { shows } from '../../../../../tooling/suite/shows.js';
import { FakeClock } from '../../../../testing/src/fake-clock.js';
import { type HttpCall, HttpPeer, modern } from '../../../test/http-peer.js';
import type { Client } from '../../client.js';
import type { Change } from './watcher.js';

/** Acknowledges a listen request. */
function acknowledge(call: HttpCall): void {
  const _meta = { 'io.modelcontextprotocol/subscriptionId': call.message.id };
  call.event({
    method: 'notifications/subscriptions/acknowledged',
    params: { _meta, notifications: { toolsListChanged: true } },
  });
}

/** Starts a watch of tools over HTTP and records its changes. */
async function watching(peer: HttpPeer, clock: FakeClock, attempts = 3) {
  const client = await peer.connect({ clock, random: () => 1, reconnect: { attempts } });
  const changes: Change[] = [];
  let wake = () => {};
  const watch = await client.watch({ tools: true }, (change) => {
    changes.push(change);
    wake();
  });
  const until = async (condition: () => boolean) => {
    while (!condition()) await new Promise<void>((resolve) => (wake = resolve));
  };
  return { client, watch, changes, until };
}

// Waits of requests are longer than any before another attempt.
const longest = 40_000;

describe('a listen stream over HTTP', () => {
  it('is opened again when it breaks, and the watch receives a gap', async () => {
    shows(
      '2026-07-28/basic/patterns/index/listen-again',
      '2026-07-28/basic/patterns/subscriptions/reconnect',
    );
    const clock = new FakeClock();
    const peer = await HttpPeer.start(modern({ 'subscriptions/listen': acknowledge }));
    const { changes, until } = await watching(peer, clock);
    (await peer.call('subscriptions/listen')).reset();
    expect(await clock.pass(longest)).toBe(500);
    await until(() => changes.length > 0);
    expect(changes).toEqual([{ kind: 'gap' }]);
    expect((await peer.call('subscriptions/listen', 2)).message.id).toBe(3);
  });

  it('that is acknowledged and dies at once does not go on for ever', async () => {
    const clock = new FakeClock();
    let opened = 0;
    const peer = await HttpPeer.start(
      modern({
        'subscriptions/listen': (call) => {
          acknowledge(call);
          opened++;
          call.response.end();
        },
      }),
    );
    const { changes, until, client } = await watching(peer, clock, 3);
    const waits = [await clock.pass(longest), await clock.pass(longest), await clock.pass(longest)];
    await until(() => changes.some((change) => change.kind === 'ended'));
    expect(waits).toEqual([500, 1000, 2000]);
    expect(opened).toBe(4);
    expect(changes.at(-1)).toMatchObject({ kind: 'ended', error: { reason: 'closed' } });
    expect(client.state).toBe('open');
  });

  it('is opened again without a bound while each stream carries a change, after pauses that grow', async () => {
    const clock = new FakeClock();
    const peer = await HttpPeer.start(
      modern({
        'subscriptions/listen': (call) => {
          acknowledge(call);
          const _meta = { 'io.modelcontextprotocol/subscriptionId': call.message.id };
          call.event({ method: 'notifications/tools/list_changed', params: { _meta } });
          call.response.end();
        },
      }),
    );
    const { changes, until } = await watching(peer, clock, 2);
    const waits: (number | undefined)[] = [];
    for (let ended = 0; ended < 4; ended++) waits.push(await clock.pass(longest));
    await until(() => changes.filter(({ kind }) => kind !== 'gap').length === 5);
    expect(waits).toEqual([500, 1_000, 2_000, 4_000]);
    expect(changes.map(({ kind }) => kind)).not.toContain('ended');
  });

  it('is asked for again while the server is away, and ends when it refuses for good', async () => {
    const clock = new FakeClock();
    let number = 0;
    const peer = await HttpPeer.start(
      modern({
        'subscriptions/listen': (call) => {
          number++;
          if (number === 1) acknowledge(call);
          else if (number === 2) call.raw(503);
          else call.error(404, -32601);
        },
      }),
    );
    const { changes, until } = await watching(peer, clock);
    (await peer.call('subscriptions/listen')).reset();
    await clock.pass(longest);
    await clock.pass(longest);
    await until(() => changes.length > 0);
    expect(changes).toMatchObject([{ kind: 'ended', error: { code: -32601 } }]);
    expect(number).toBe(3);
  });

  it.each(['watch', 'client'] as const)('is not waited for once its %s is closed', async (closed) => {
    const clock = new FakeClock();
    const peer = await HttpPeer.start(modern({ 'subscriptions/listen': acknowledge }));
    const ends = await watching(peer, clock);
    (await peer.call('subscriptions/listen')).reset();
    await clock.armed(500);
    await ends[closed].close();
    expect(clock.waiting).not.toContain(500);
  });

  it('that is closed here ends its exchange', async () => {
    shows('2026-07-28/basic/patterns/subscriptions/client-ends');
    const peer = await HttpPeer.start(modern({ 'subscriptions/listen': acknowledge }));
    const client: Client = await peer.connect();
    const watch = await client.watch({ tools: true }, () => undefined);
    const { response } = await peer.call('subscriptions/listen');
    const closed = new Promise((resolve) => response.once('close', resolve));
    await watch.close();
    await closed;
    expect(peer.heard).toEqual(['server/discover', 'subscriptions/listen']);
  });
});
