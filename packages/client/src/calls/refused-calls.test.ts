import { ErrorCode } from '@tenon/mcp-protocol';
import { revision20251125 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { type HttpCall, HttpPeer, modern, sessions } from '../../test/http-peer.js';
import { linked } from '../../test/linked.js';
import { ScriptedServer, WireRefusal } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';
import type { ReconnectPolicy } from '../session/reconnect-policy.js';

const closing = ErrorCode.shuttingDown;
const done = { content: [] };
const quick = { delay: 1, maxDelay: 1 };

/** A server that refuses the first tool calls with an error. */
async function refusing(
  count: number,
  { code = closing as number, script = modern, reconnect = quick as false | Partial<ReconnectPolicy> } = {},
) {
  let left = count;
  const peer = await HttpPeer.start(
    script({
      'tools/call': (call: HttpCall) => (left-- > 0 ? call.error(503, code) : call.result(done)),
      ping: (call: HttpCall) => (left-- > 0 ? call.error(503, code) : call.result({})),
    }),
  );
  const client = await peer.connect({ reconnect });
  const sent = (method: string) => peer.heard.filter((one) => one === method).length;
  return { client, sent };
}

describe('a call that a closing server refused', () => {
  it.each([
    ['without a session', modern],
    ['in a session', sessions],
  ])('is sent again until another process answers, %s', async (_title, script) => {
    const { client, sent } = await refusing(4, { script: script as typeof modern });
    expect((await client.callTool('pay')).content).toEqual([]);
    expect(sent('tools/call')).toBe(5);
  });

  it('is sent again although the tool may not be repeated', async () => {
    const { client, sent } = await refusing(1);
    await client.callTool('pay', {}, { idempotent: false });
    expect(sent('tools/call')).toBe(2);
  });

  it('rejects after the attempts of the option reconnect', async () => {
    const { client, sent } = await refusing(100, { reconnect: { ...quick, attempts: 3 } });
    await expect(client.callTool('pay')).rejects.toMatchObject({ code: closing });
    expect(sent('tools/call')).toBe(4);
  });

  it('rejects at once with the option reconnect false, and after another error', async () => {
    const never = await refusing(1, { reconnect: false });
    await expect(never.client.callTool('pay')).rejects.toMatchObject({ code: closing });
    expect(never.sent('tools/call')).toBe(1);
    const overloaded = await refusing(1, { code: ErrorCode.overloaded });
    await expect(overloaded.client.callTool('pay')).rejects.toMatchObject({ code: ErrorCode.overloaded });
    expect(overloaded.sent('tools/call')).toBe(1);
  });

  it('rejects when it is cancelled during the wait', async () => {
    const { client, sent } = await refusing(100, { reconnect: { delay: 600_000, maxDelay: 600_000 } });
    const abort = new AbortController();
    const call = client.callTool('pay', {}, { signal: abort.signal });
    while (sent('tools/call') < 2) await new Promise((resolve) => setImmediate(resolve));
    abort.abort();
    await expect(call).rejects.toBeInstanceOf(Error);
    expect(sent('tools/call')).toBe(2);
  });

  it('is sent again by ping as well', async () => {
    const { client, sent } = await refusing(2, { script: sessions as typeof modern });
    await client.ping();
    expect(sent('ping')).toBe(3);
  });

  it('is sent again on the next connection when the one to a closing server has ended', async () => {
    const clock = new FakeClock();
    const server = new ScriptedServer(
      serverScript(revision20251125, {
        'tools/call': (_, peer) =>
          peer === server.peers[0] ? new WireRefusal(closing, 'This end is closing.') : done,
      }),
    );
    const client = await linked(server, { clock });
    const call = client.callTool('pay');
    await clock.armed(30_000);
    expect(server.peer.methods.filter((method) => method === 'tools/call')).toHaveLength(1);
    await server.peer.die();
    await clock.advance(0);
    expect((await call).content).toEqual([]);
    expect(server.peers).toHaveLength(2);
  });
});

describe('a request that sessions lose before a server handles it', () => {
  it('is sent again while sessions end, three times at most, and does not end the client', async () => {
    let lost = 0;
    const peer = await HttpPeer.start(
      sessions({
        'tools/call': (call: HttpCall) => (lost-- > 0 ? call.error(404, -32_001) : call.result(done)),
        ping: (call: HttpCall) => (lost-- > 0 ? call.error(404, -32_001) : call.result({})),
      }),
    );
    const client = await peer.connect({ reconnect: quick });
    const sent = (method: string) => peer.heard.filter((one) => one === method).length;
    lost = 3;
    expect((await client.callTool('pay', {}, { idempotent: false })).content).toEqual([]);
    expect(sent('tools/call')).toBe(4);
    lost = 3;
    await client.ping();
    expect(sent('ping')).toBe(4);
    lost = 100;
    await expect(client.callTool('pay', {}, { idempotent: false })).rejects.toMatchObject({ status: 404 });
    expect(sent('tools/call')).toBe(8);
    lost = 0;
    expect((await client.callTool('pay')).content).toEqual([]);
  });

  it('is a ping in the next session, which may be of another revision', async () => {
    const older = sessions({ ping: (call: HttpCall) => call.result({}) }, '2025-06-18');
    let script = sessions({
      ping(call: HttpCall) {
        script = older;
        return call.error(404, -32_001);
      },
    });
    const peer = await HttpPeer.start((call) => script(call));
    const client = await peer.connect({ reconnect: quick });
    await client.ping();
    expect(client.revision).toBe('2025-06-18');
  });

  it('is a log level that is set in the next session', async () => {
    const server = new ScriptedServer(
      serverScript(revision20251125, {
        'logging/setLevel': async (_, peer) => {
          if (peer === server.peers[0]) await peer.die();
          return {};
        },
      }),
    );
    const client = await linked(server, { reconnect: quick });
    await client.setLogLevel('error');
    expect(server.peers).toHaveLength(2);
    expect(server.peer.methods).toContain('logging/setLevel');
  });
});
