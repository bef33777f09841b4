import { otherBounds } from '@tenon/foundation';
import { revision20250326, revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../../tooling/suite/shows.js';
import { FakeClock } from '../../../../testing/src/fake-clock.js';
import { rig, session } from '../../../test/client-rig.js';
import type { HttpCall } from '../../../test/client-scripted-server.js';
import { openHttp } from '../../client.js';

const stateless = { revision: revision20260728 };

describe('a POST', () => {
  it('sends one frame with its Accept header, and delivers a JSON answer', async () => {
    shows(
      '2025-03-26/streamable-http/post',
      '2025-03-26/streamable-http/accept',
      '2026-07-28/basic/transports/streamable-http/new-post',
      '2026-07-28/basic/transports/streamable-http/post',
      '2026-07-28/basic/transports/streamable-http/accept',
      '2026-07-28/basic/transports/streamable-http/single-message',
      '2026-07-28/basic/transports/streamable-http/both-kinds-taken',
    );
    const { server, receiver, ask } = await rig((call) => call.result({ ok: 1 }), stateless);
    await ask(1, 'tools/call', { headers: { 'mcp-method': 'tools/call', 'mcp-name': 'x' } });
    expect(receiver.values).toEqual([{ jsonrpc: '2.0', id: 1, result: { ok: 1 } }]);
    expect(server.calls[0]?.message).toMatchObject({ id: 1, method: 'tools/call' });
    expect(server.calls[0]?.path).toBe('/mcp');
    expect(server.calls[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'accept-encoding': 'identity',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'x',
    });
    expect(server.calls[0]?.headers).not.toHaveProperty('mcp-session-id');
  });

  it('delivers the events of a stream in order, the answer last', async () => {
    shows(
      '2026-07-28/basic/transports/streamable-http/both-kinds-taken',
      '2026-07-28/basic/transports/streamable-http/comments-ignored',
    );
    const { receiver, ask } = await rig((call) => {
      call.events();
      call.event({ jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } });
      call.response.write(': a comment\n\n');
      call.event('not for us', { event: 'endpoint' });
      call.event({ jsonrpc: '2.0', id: 1, result: { text: 'ø' } });
      call.end();
    }, stateless);
    await ask(1);
    expect(receiver.values).toMatchObject([{ method: 'notifications/progress' }, { result: { text: 'ø' } }]);
  });

  it('accepts a batch of answers for a batch of requests', async () => {
    shows('2025-03-26/streamable-http/body');
    const { connection, receiver } = await rig(
      (call) =>
        call.json([
          { jsonrpc: '2.0', id: 2, result: {} },
          { jsonrpc: '2.0', id: 1, result: {} },
        ]),
      { revision: revision20250326 },
    );
    await connection.send('[{"id":1},{"id":2}]', { ids: [1, 2] });
    expect(receiver.values).toHaveLength(1);
  });

  it('sends no version header in a revision without one', async () => {
    const { server, ask } = await rig((call) => call.result(), { revision: revision20250326 });
    await ask(1);
    expect(server.calls[0]?.headers).not.toHaveProperty('mcp-protocol-version');
  });

  it('sends the receiver’s answers to the server', async () => {
    const { server, receiver, ask } = await rig((call) => {
      if (call.message.method === undefined) return call.raw(202);
      call.events();
      call.event({ jsonrpc: '2.0', id: 'q1', method: 'ping' });
      call.event({ jsonrpc: '2.0', id: 'q2', method: 'roots/list' });
      call.event({ jsonrpc: '2.0', id: 1, result: {} });
      call.end();
    });
    receiver.reply = (value) => {
      const { id } = value as { id: unknown };
      if (id === 'q1') return '{"jsonrpc":"2.0","id":"q1","result":{}}';
      return id === 'q2' ? Promise.resolve('{"jsonrpc":"2.0","id":"q2","result":{}}') : undefined;
    };
    await ask(1);
    await server.call('POST', 3);
    // Each answer is sent in its own POST, so they may arrive in any order.
    const answered = server.calls.slice(1).map((call) => call.message.id);
    expect(answered.sort()).toEqual(['q1', 'q2']);
  });

  it.each([
    ['its connection breaks', (call: HttpCall) => call.reset()],
    ['the server has no capacity', (call: HttpCall) => call.raw(503)],
  ])('sends an answer again when %s, up to a limit', async (_, fail) => {
    const clock = new FakeClock();
    const { server, receiver, ask } = await rig(
      (call) => {
        if (call.message.method === undefined) return fail(call);
        call.events();
        call.event({ jsonrpc: '2.0', id: 'q', method: 'ping' });
      },
      { clock, random: () => 0 },
    );
    receiver.reply = () => '{"jsonrpc":"2.0","id":"q","result":{}}';
    ask(1).catch(() => undefined);
    const waits: number[] = [];
    for (let time = 0; time < 4; time++) waits.push(await clock.pass(1_000));
    expect(waits).toEqual([125, 250, 500, 1_000]);
    await server.call('POST', 6);
    expect(server.calls.slice(1).map((call) => call.message.id)).toEqual(
      Array.from({ length: 5 }, () => 'q'),
    );
  });

  it('waits when maxConnections requests are waiting for an answer; streams and notifications do not count', async () => {
    const { server, ask, tell } = await rig(
      (call) => {
        if (call.message.method === 'stream') call.events();
      },
      { ...stateless, limits: { maxConnections: 2 } },
    );
    const streams = [1, 2, 3].map((id) => ask(id, 'stream'));
    for (const number of [1, 2, 3]) await server.call('POST', number);
    const calls = [4, 5, 6].map((id) => ask(id));
    await server.call('POST', 5);
    const notified = tell('notifications/x');
    await server.call('POST', 6);
    expect(server.calls.map((call) => call.message.id)).toEqual([1, 2, 3, 4, 5, undefined]);
    server.calls[3]?.result();
    await calls[0];
    await server.call('POST', 7);
    expect(server.calls[6]?.message.id).toBe(6);
    server.calls[5]?.raw(202);
    await notified;
    for (const one of [...streams, ...calls]) one.catch(() => undefined);
  });
});

describe('a URL', () => {
  it.each([
    ['ftp://a.example', 'http: or https:'],
    ['https://ada:pw@a.example/', 'give them in the option headers'],
    ['nonsense', 'not a URL'],
  ])('rejects %s', (url, message) => {
    expect(() => openHttp(url)).toThrow(message);
  });
});

describe('a session', () => {
  it('sends its id and revision with everything after its opening', async () => {
    shows('2025-03-26/sessions/id-sent');
    const { server, ask, initialize, connection } = await rig(
      session((call) => (call.method === 'GET' ? call.raw(405) : call.result())),
    );
    await initialize();
    await ask(1);
    await server.call('GET');
    await connection.close();
    const [opening, ...others] = server.calls;
    expect(opening?.headers).not.toHaveProperty('mcp-session-id');
    expect(opening?.headers).not.toHaveProperty('mcp-protocol-version');
    expect(others.map((call) => call.method).sort()).toEqual(['DELETE', 'GET', 'POST', 'POST']);
    for (const call of others) {
      expect(call.headers).toMatchObject({
        'mcp-session-id': 'secret-id',
        'mcp-protocol-version': '2025-11-25',
      });
    }
  });

  it.each([
    ['is not ASCII', 'a\u00e9b', 'visible ASCII', '2025-03-26/sessions/id-ascii'],
    ['has spaces', 'two words', 'visible ASCII', '2025-03-26/sessions/id-ascii'],
    ['is endless', 'x'.repeat(5000), 'longer than 4096'],
  ])('rejects a session id that %s', async (...[, id, message, ...ids]) => {
    shows(...ids);
    const { ask, connection } = await rig(session(() => {}, id));
    const refused = await ask(0, 'initialize', { opening: true }).catch((error: unknown) => error);
    expect(String(refused)).toContain(message);
    expect(String(refused)).not.toContain(id);
    await connection.close();
  });

  it('fails the call as not handled and ends the connection once when the server does not know the session', async () => {
    const { server, receiver, ask, initialize } = await rig(
      session((call) => call.raw(call.method === 'GET' ? 405 : 404)),
    );
    await initialize();
    const order: string[] = [];
    const lost = ask(1).catch((error: unknown) => {
      order.push('call');
      return error;
    });
    const other = ask(2).catch((error: unknown) => error);
    void receiver.end().then(() => order.push('end'));
    expect(await lost).toMatchObject({ status: 404, unhandled: true });
    expect(await other).toMatchObject({ name: 'TransportError' });
    expect(await receiver.end()).toMatchObject({ name: 'TransportError', status: 404, unhandled: false });
    expect(order).toEqual(['call', 'end']);
    await expect(ask(3)).rejects.toThrow('The connection is closed.');
    expect(String(await lost)).not.toContain('secret-id');
    expect(receiver.ends).toHaveLength(1);
    expect(server.calls.some((call) => call.method === 'DELETE')).toBe(false);
  });

  it('rejects further frames as not handled after its end', async () => {
    const { ask, initialize } = await rig(session((call) => call.raw(call.method === 'GET' ? 405 : 404)));
    await initialize();
    // In the same turn, before the end was reported.
    const late = ask(1).catch(() => ask(2).catch((error: unknown) => error));
    expect(await late).toMatchObject({ name: 'TransportError', unhandled: true });
  });

  it('opens again without the id and revision of the last session', async () => {
    const { server, ask, initialize } = await rig(session((call) => call.raw(405)));
    await initialize();
    await ask(5, 'initialize', { opening: true });
    expect(server.calls.at(-1)?.headers).not.toHaveProperty('mcp-session-id');
  });
});

describe('cancelling', () => {
  it('closes the exchange in revisions where that cancels the request', async () => {
    shows('2026-07-28/basic/patterns/cancellation/timeout-cancels');
    const { server, connection, ask } = await rig(() => {}, stateless);
    const asked = ask(1);
    const call = await server.call('POST');
    expect(connection.cancel(1)).toBe(true);
    await call.closed;
    await asked;
  });

  it('opens the event stream on the existing connection, before the first call', async () => {
    const seen: string[] = [];
    const { ask, initialize } = await rig(
      session((call) => {
        seen.push(call.method);
        if (call.method === 'GET') call.events();
        else call.result();
      }),
    );
    await initialize();
    await ask(1);
    expect(seen).toEqual(['GET', 'POST']);
  });

  it('only stops waiting in revisions with a cancellation message', async () => {
    const { server, connection, ask } = await rig((call) => call.events({ 'x-any': '1' }), {
      revision: revision20251125,
    });
    const asked = ask(1);
    const call = await server.call('POST');
    expect(connection.cancel(1)).toBe(false);
    await call.closed;
    await asked;
  });
});

describe('closing', () => {
  it('sends pending notifications, fails waiting requests, ends the session, and closes all sockets', async () => {
    let release = () => {};
    const { server, connection, receiver, ask, tell, initialize } = await rig(
      session((call) => {
        if (call.method === 'GET') call.events();
        else if (call.message.method === 'notifications/last') release = () => call.raw(202);
      }),
    );
    await initialize();
    await server.call('GET');
    const waiting = ask(1).catch((error: unknown) => error);
    const last = tell('notifications/last');
    await server.call('POST', 4);
    const closing = connection.close();
    expect(await waiting).toMatchObject({ name: 'TransportError', message: 'The connection is closed.' });
    release();
    await last;
    await Promise.all([closing, connection.close()]);
    expect(receiver.ends).toEqual([undefined]);
    expect(server.calls.at(-1)?.method).toBe('DELETE');
    await server.deserted();
    expect(server.sockets.size).toBe(0);
    await expect(ask(2)).rejects.toThrow('The connection is closed.');
  });

  it('drops the remaining events of a chunk when a handler of an event closes the connection', async () => {
    const notice = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
    const { receiver, initialize, connection } = await rig(
      session((call) => {
        call.events();
        // One write, so that both events are in one chunk.
        call.response.write(`data: ${JSON.stringify(notice)}\n\n`.repeat(2));
      }),
    );
    let closing: Promise<void> | undefined;
    receiver.reply = (value) => {
      if ((value as typeof notice).method === notice.method) closing ??= connection.close();
      return undefined;
    };
    await initialize();
    await receiver.end();
    await closing;
    expect(receiver.values.filter((value) => (value as typeof notice).method === notice.method)).toEqual([
      notice,
    ]);
  });

  it('clears all timers, including the reconnection of a stream', async () => {
    const clock = new FakeClock();
    const { server, connection, initialize, ask } = await rig(
      session((call) => {
        call.events();
        if (call.method === 'POST') call.event('', { id: 'e-1', retry: 5000 });
        call.end();
      }),
      { clock },
    );
    await initialize();
    const asked = ask(1).catch((error: unknown) => error);
    await (await server.call('GET')).closed;
    await (await server.call('POST', 3)).closed;
    while (clock.waiting.length < 2) await new Promise((resolve) => setImmediate(resolve));
    await connection.close();
    expect(clock.waiting).toEqual([]);
    expect(await asked).toMatchObject({ message: 'The connection is closed.' });
    await server.deserted();
  });

  it('clears the timer of an answer that waits to be sent again', async () => {
    const clock = new FakeClock();
    const { server, connection, receiver, ask } = await rig(
      (call) => {
        if (call.message.method === undefined) return call.reset();
        call.events();
        call.event({ jsonrpc: '2.0', id: 'q', method: 'ping' });
      },
      { clock, random: () => 0 },
    );
    receiver.reply = () => '{"jsonrpc":"2.0","id":"q","result":{}}';
    ask(1).catch(() => undefined);
    await clock.armed(125);
    await connection.close();
    expect(clock.waiting).toEqual([]);
    expect(server.calls).toHaveLength(2);
  });

  it('stops waiting for an unresponsive server after closeWaitMs', async () => {
    const { connection, tell, initialize } = await rig(
      session(() => {}),
      { limits: otherBounds({ closeWaitMs: 20 }) },
    );
    await initialize();
    const stuck = tell('notifications/stuck').catch((error: unknown) => error);
    await connection.close();
    expect(await stuck).toMatchObject({ message: 'The connection is closed.' });
  });
});
