import { revision20250326, revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { StepClock } from '../../../test/client-clock.js';
import { rig, session } from '../../../test/client-rig.js';
import { openHttp } from '../open-http.js';

const stateless = { revision: revision20260728 };

describe('a POST', () => {
  it('carries one frame, says what it takes, and delivers a JSON answer', async () => {
    const { server, receiver, ask } = await rig((call) => call.result({ ok: 1 }), stateless);
    await ask(1, 'tools/call', { headers: { 'mcp-method': 'tools/call', 'mcp-name': 'x' } });
    expect(receiver.values).toEqual([{ jsonrpc: '2.0', id: 1, result: { ok: 1 } }]);
    expect(server.calls[0]?.message).toMatchObject({ id: 1, method: 'tools/call' });
    expect(server.calls[0]?.path).toBe('/mcp');
    expect(server.calls[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'x',
    });
    expect(server.calls[0]?.headers).not.toHaveProperty('mcp-session-id');
  });

  it('delivers the events of a stream in their order, the answer last', async () => {
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

  it('takes a batch of answers for a batch of requests', async () => {
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

  it('names no revision where the revision has no header for it', async () => {
    const { server, ask } = await rig((call) => call.result(), { revision: revision20250326 });
    await ask(1);
    expect(server.calls[0]?.headers).not.toHaveProperty('mcp-protocol-version');
  });

  it('sends what the receiver answers the server', async () => {
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
    // Each leaves by a POST of its own, so either may be there first.
    const answered = server.calls.slice(1).map((call) => call.message.id);
    expect(answered.sort()).toEqual(['q1', 'q2']);
  });

  it('sends an answer again when its connection breaks, but not for ever', async () => {
    const clock = new StepClock();
    const { server, receiver, ask } = await rig(
      (call) => {
        if (call.message.method === undefined) return call.reset();
        call.events();
        call.event({ jsonrpc: '2.0', id: 'q', method: 'ping' });
      },
      { clock, random: () => 0 },
    );
    receiver.reply = () => '{"jsonrpc":"2.0","id":"q","result":{}}';
    ask(1).catch(() => undefined);
    const waits: number[] = [];
    for (let time = 0; time < 4; time++) waits.push(await clock.step(1_000));
    expect(waits).toEqual([125, 250, 500, 1_000]);
    await server.call('POST', 6);
    expect(server.calls.slice(1).map((call) => call.message.id)).toEqual(
      Array.from({ length: 5 }, () => 'q'),
    );
  });

  it('waits for its turn behind as many as may wait for an answer; streams and notifications do not count', async () => {
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
    const told = tell('notifications/x');
    await server.call('POST', 6);
    expect(server.calls.map((call) => call.message.id)).toEqual([1, 2, 3, 4, 5, undefined]);
    server.calls[3]?.result();
    await calls[0];
    await server.call('POST', 7);
    expect(server.calls[6]?.message.id).toBe(6);
    server.calls[5]?.raw(202);
    await told;
    for (const one of [...streams, ...calls]) one.catch(() => undefined);
  });
});

describe('headers of the application', () => {
  it('go with every request, and may be asked for each time', async () => {
    let count = 0;
    const headers = async () => ({ Authorization: `Bearer ${++count}` });
    const { server, ask } = await rig((call) => call.result(), { ...stateless, headers });
    await ask(1);
    await ask(2);
    expect(server.calls.map((call) => call.headers.authorization)).toEqual(['Bearer 1', 'Bearer 2']);
  });

  it('of one call win', async () => {
    const headers = { authorization: 'a', 'x-trace': 't' };
    const { server, ask } = await rig((call) => call.result(), { ...stateless, headers });
    await ask(1, 'tools/call', { headers: { authorization: 'b' } });
    await ask(2);
    expect(server.calls.map((call) => call.headers.authorization)).toEqual(['b', 'a']);
    expect(server.calls.every((call) => call.headers['x-trace'] === 't')).toBe(true);
  });

  it.each([
    [{ 'Mcp-Session-Id': 'x' }, 'is written by the transport'],
    [{ 'Mcp-Param-Region': 'x' }, 'is written by the transport'],
    [{ 'Content-Length': '1' }, 'is written by the transport'],
    [{ 'x-a': 'a\r\nx-b: b' }, 'without line breaks'],
    [{ 'x a': 'b' }, 'is no name of an HTTP header'],
  ])('%j are refused at once', (headers, message) => {
    expect(() => openHttp('http://127.0.0.1/', { headers })).toThrow(message);
  });

  it('of one call that cannot be sent fail it, and are not told', async () => {
    const { ask } = await rig(() => {}, { ...stateless, fetch });
    const asked = ask(1, 'tools/call', { headers: { authorization: 'Bearer se\ncret' } });
    const error = await asked.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain('"authorization"');
    expect(String(error)).not.toContain('cret');
  });

  it('that a function gives and that cannot be sent fail the request', async () => {
    const { ask } = await rig((call) => call.result(), { headers: () => ({ host: 'x' }) });
    await expect(ask(1)).rejects.toThrow(TypeError);
  });
});

describe('a URL', () => {
  it.each([
    ['ftp://a.example', 'http: or https:'],
    ['https://ada:pw@a.example/', 'give them in the option headers'],
    ['nonsense', 'not a URL'],
  ])('%s is refused', (url, message) => {
    expect(() => openHttp(url)).toThrow(message);
  });
});

describe('a session', () => {
  it('has its id on everything after its opening, and its revision', async () => {
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
    ['is not ASCII', 'a\u00e9b', 'visible ASCII'],
    ['has spaces', 'two words', 'visible ASCII'],
    ['is endless', 'x'.repeat(5000), 'longer than 4096'],
  ])('whose id %s is not taken up', async (_, id, message) => {
    const { ask, connection } = await rig(session(() => {}, id));
    const refused = await ask(0, 'initialize', { opening: true }).catch((error: unknown) => error);
    expect(String(refused)).toContain(message);
    expect(String(refused)).not.toContain(id);
    await connection.close();
  });

  it('that the server forgot fails the call as not handled, and then ends the connection, once', async () => {
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

  it('that is over takes nothing more, and says that it did not', async () => {
    const { ask, initialize } = await rig(session((call) => call.raw(call.method === 'GET' ? 405 : 404)));
    await initialize();
    // In the same turn, before everybody has heard of the end.
    const late = ask(1).catch(() => ask(2).catch((error: unknown) => error));
    expect(await late).toMatchObject({ name: 'TransportError', unhandled: true });
  });

  it('is opened anew without what was known of the last', async () => {
    const { server, ask, initialize } = await rig(session((call) => call.raw(405)));
    await initialize();
    await ask(5, 'initialize', { opening: true });
    expect(server.calls.at(-1)?.headers).not.toHaveProperty('mcp-session-id');
  });
});

describe('cancelling', () => {
  it('ends the exchange where that is the cancellation', async () => {
    const { server, connection, ask } = await rig(() => {}, stateless);
    const asked = ask(1);
    const call = await server.call('POST');
    expect(connection.cancel(1)).toBe(true);
    await call.closed;
    await asked;
  });

  it('listens on the connection that is open, ahead of the first call', async () => {
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

  it('only stops listening where a message must say it', async () => {
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
  it('lets notifications leave, fails what waits, ends the session, and leaves no socket behind', async () => {
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

  it('by a handler of an event drops the events after it in the same chunk', async () => {
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

  it('leaves no timer behind, not even of a stream that is waited for', async () => {
    const clock = new StepClock();
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
    while (clock.tasks.size < 2) await new Promise((resolve) => setImmediate(resolve));
    await connection.close();
    expect(clock.tasks.size).toBe(0);
    expect(await asked).toMatchObject({ message: 'The connection is closed.' });
    await server.deserted();
  });

  it('leaves no timer behind of an answer that was to be sent again', async () => {
    const clock = new StepClock();
    const { server, connection, receiver, ask } = await rig(
      (call) => {
        if (call.message.method === undefined) return call.reset();
        call.events();
        call.event({ jsonrpc: '2.0', id: 'q', method: 'ping' });
      },
      { clock },
    );
    receiver.reply = () => '{"jsonrpc":"2.0","id":"q","result":{}}';
    ask(1).catch(() => undefined);
    await clock.until(({ ms }) => ms <= 250);
    await connection.close();
    expect(clock.tasks.size).toBe(0);
    expect(server.calls).toHaveLength(2);
  });

  it('waits for nobody longer than it may', async () => {
    const { connection, tell, initialize } = await rig(
      session(() => {}),
      { limits: { closeWaitMs: 20 } },
    );
    await initialize();
    const stuck = tell('notifications/stuck').catch((error: unknown) => error);
    await connection.close();
    expect(await stuck).toMatchObject({ message: 'The connection is closed.' });
  });
});
