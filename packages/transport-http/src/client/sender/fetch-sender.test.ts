import { gzipSync } from 'node:zlib';
import { otherBounds } from '@tenon/foundation';
import { revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { rig, session } from '../../../test/client-rig.js';
import type { Fetch } from './fetch-sender.js';

const stateless = { revision: revision20260728 };

/** The global `fetch`, recording its arguments. */
function noting(): { fetch: Fetch; seen: RequestInit[] } {
  const seen: RequestInit[] = [];
  return {
    seen,
    fetch: (input, init) => {
      seen.push(init);
      return fetch(input, init);
    },
  };
}

describe('a fetch of the application', () => {
  it('receives method, headers and body, and follows no redirects', async () => {
    const { fetch, seen } = noting();
    const { server, receiver, ask, initialize, connection } = await rig(
      session((call) => {
        if (call.method === 'GET') return call.events();
        call.events();
        call.event({ jsonrpc: '2.0', id: 1, result: {} });
        return call.end();
      }),
      { fetch },
    );
    await initialize();
    await ask(1);
    expect(receiver.values).toHaveLength(2);
    await server.call('GET');
    await connection.close();
    expect(server.calls.map((call) => call.method).sort()).toEqual(['DELETE', 'GET', 'POST', 'POST', 'POST']);
    expect(seen).toHaveLength(5);
    expect(seen.every((init) => init.redirect === 'manual')).toBe(true);
  });

  it('limits the size of a decompressed body', async () => {
    const body = gzipSync(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(5000) } }));
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const { receiver, ask } = await rig((call) => call.raw(200, headers, body), { fetch, ...stateless });
    await ask(1);
    expect(receiver.values).toHaveLength(1);
    const small = { fetch, ...stateless, limits: { maxAnswerBytes: 1000 } };
    const bounded = await rig((call) => call.raw(200, headers, body), small);
    await expect(bounded.ask(1)).rejects.toThrow('limit maxAnswerBytes');
  });

  it('fails the request with the reason of its error', async () => {
    const failing: Fetch = () =>
      Promise.reject(new TypeError('fetch failed', { cause: new Error('no route') }));
    const { ask } = await rig(() => {}, { fetch: failing, ...stateless });
    await expect(ask(1)).rejects.toMatchObject({
      name: 'TransportError',
      message: expect.stringContaining('failed: no route.'),
    });
  });

  it.each(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])(
    'names the sender that waits longer when it gives up with %s',
    async (code) => {
      const cause = Object.assign(new Error('Headers Timeout Error'), { code });
      const impatient: Fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
      const { ask } = await rig(() => {}, { fetch: impatient, ...stateless });
      await expect(ask(1)).rejects.toThrow('{ sender: undiciSender }');
    },
  );

  it('fails when a redirect hides its target', async () => {
    const opaque: Fetch = async () =>
      Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' });
    const { ask } = await rig(() => {}, { fetch: opaque, ...stateless });
    await expect(ask(1)).rejects.toThrow('does not report the target');
  });

  it('is aborted when the request is cancelled, also while its stream is read', async () => {
    const { server, connection, receiver, ask } = await rig(
      (call) => {
        call.events();
        call.event({ jsonrpc: '2.0', method: 'notifications/progress' });
      },
      { fetch, ...stateless },
    );
    const asked = ask(1);
    await receiver.count(1);
    connection.cancel(1);
    await asked;
    await (await server.call('POST')).closed;
  });

  it('is aborted on closing', async () => {
    const { server, connection, ask } = await rig(() => {}, { fetch, revision: revision20251125 });
    const asked = ask(1).catch((error: unknown) => error);
    const call = await server.call('POST');
    await connection.close();
    await call.closed;
    expect(await asked).toMatchObject({ message: 'The connection is closed.' });
  });

  it('reads no faster than answers are sent', async () => {
    const held: { raw(status: number): void }[] = [];
    let asked = 0;
    const { server, receiver, ask } = await rig(
      (call) => {
        if (call.message.method === undefined) return held.push(call);
        call.events();
        const pump = () => {
          while (call.response.write(`data: {"jsonrpc":"2.0","id":"q${++asked}","method":"ping"}\n\n`));
        };
        call.response.on('drain', pump);
        return pump();
      },
      { fetch, limits: otherBounds({ maxAnswersLeaving: 2, closeWaitMs: 20 }) },
    );
    receiver.reply = (value) =>
      JSON.stringify({ jsonrpc: '2.0', id: (value as { id: string }).id, result: {} });
    void ask(1).catch(() => undefined);
    await server.call('POST', 3);
    const before = receiver.values.length;
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(receiver.values.length).toBe(before);
    for (let number = 2; receiver.values.length === before; number++) {
      (await server.call('POST', number)).raw(202);
    }
  });
});
