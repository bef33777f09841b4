import { ErrorCode, type Exchange, latestHandshake } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { settled } from '../../../testing/src/fake-clock.js';
import { call, Held, modern, Rig, request } from '../../test/rig.js';
import { statelessEndpoint } from '../conversation/stateless-endpoint.js';

function rig(held: Held, limits?: { readonly inFlight: number }) {
  const requests = { 'tools/call': held.handle, ping: () => ({}) };
  return new Rig({
    requests,
    revision: latestHandshake,
    handling: { time: 1_000 },
    ...(limits && { limits }),
  });
}

const from = (caller: string | undefined, total = 3, perCaller = 2): Exchange => ({
  facts: {},
  caller,
  bounds: { total, perCaller },
  send: () => undefined,
});

const codeOf = async (answer: unknown) => JSON.parse((await answer) as string).error?.code;

describe('work in flight', () => {
  it('is counted by caller over exchanges and conversations alike', async () => {
    const held = new Held();
    const { behaviour, endpoint } = rig(held);
    const alone = statelessEndpoint(behaviour);
    void alone.receive(modern(1, 'tools/call', call()), from('ann'));
    void endpoint.receive(request(1, 'tools/call', call()), from('ann'));
    expect(behaviour.handling?.work.size).toBe(2);
    expect(await codeOf(endpoint.receive(request(2, 'tools/call', call()), from('ann')))).toBe(-31001);
    expect(await codeOf(alone.receive(modern(2, 'tools/call', call()), from('ann')))).toBe(-31001);
    expect(await codeOf(alone.receive(modern(3, 'ping'), from('bob')))).not.toBe(-31001);
    void alone.receive(modern(4, 'tools/call', call()), from('bob'));
    expect(await codeOf(alone.receive(modern(5, 'tools/call', call()), from('cid')))).toBe(-31001);
    for (const index of [0, 1, 2]) held.finish(index);
    await settled();
    expect(behaviour.handling?.work.size).toBe(0);
  });

  it('counts a handler until it ends, after its time was up and after its connection has ended', async () => {
    const held = new Held();
    const { behaviour, clock, endpoint } = rig(held);
    void endpoint.receive(request(1, 'tools/call', call()), from('ann'));
    void endpoint.receive(request(2, 'tools/call', call()), from('ann'));
    await clock.advance(2_000);
    endpoint.closed();
    const alone = statelessEndpoint(behaviour);
    expect(await codeOf(alone.receive(modern(1, 'tools/call', call()), from('ann')))).toBe(
      ErrorCode.overloaded,
    );
    held.finish(0);
    await settled();
    expect(behaviour.handling?.work.size).toBe(1);
  });

  it('leaves a caller all of its places once its handlers have ended', async () => {
    const held = new Held();
    const { behaviour, endpoint } = rig(held);
    for (const round of [0, 1, 2]) {
      const answers = [1, 2].map((id) =>
        endpoint.receive(request(2 * round + id, 'tools/call', call()), from('ann')),
      );
      for (const index of [0, 1]) held.finish(2 * round + index);
      for (const answer of answers) expect(await codeOf(answer)).toBeUndefined();
    }
    expect(behaviour.handling?.work.size).toBe(0);
    // A caller is looked at only while the server is busy with as many handlers as one caller may have.
    for (const id of [7, 8]) void endpoint.receive(request(id, 'tools/call', call()), from('bob'));
    const busy = endpoint.receive(request(9, 'tools/call', call()), from('ann'));
    held.finish(8);
    expect(await codeOf(busy)).toBeUndefined();
  });

  it('is counted by connection where nothing is known of the caller', async () => {
    const held = new Held();
    const { endpoint } = rig(held);
    for (const id of [1, 2]) void endpoint.receive(request(id, 'tools/call', call()), from(undefined));
    expect(await codeOf(endpoint.receive(request(3, 'tools/call', call()), from(undefined)))).toBe(-31001);
  });

  it('has the bound of its connection alone where the exchange has none', async () => {
    const held = new Held();
    const { behaviour, endpoint, connection } = rig(held, { inFlight: 2 });
    for (const id of [1, 2]) void endpoint.receive(request(id, 'tools/call', call()), connection);
    expect(behaviour.handling?.work.size).toBe(0);
    expect(await codeOf(endpoint.receive(request(3, 'tools/call', call()), connection))).toBe(-31001);
  });
});
