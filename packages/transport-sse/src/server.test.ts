import { setImmediate as turn } from 'node:timers/promises';
import type { Connection } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../tooling/suite/shows.js';
import { HeldCall } from '../test/held-call.js';
import { NotedApplication } from '../test/noted-application.js';
import { post, raw } from '../test/raw-wire.js';
import { served } from '../test/served-mount.js';
import { SseMount } from './server.js';

/** A mount without a network, and one of its streams. */
function held() {
  const application = new NotedApplication();
  const mount = new SseMount(application);
  const stream = new HeldCall('GET', '/sse');
  mount.handle(stream, undefined);
  return { application, mount, stream };
}

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

it('answers even if onError throws', () => {
  const application = new NotedApplication();
  application.accept = () => {
    throw new Error('secret detail');
  };
  const onError = () => {
    throw new Error('the log is full');
  };
  const stream = new HeldCall('GET', '/sse');
  new SseMount(application, { onError }).handle(stream, undefined);
  expect(stream).toMatchObject({ status: 500, closed: true });
});

describe('the event stream', () => {
  it('begins with the endpoint event, with a unique session id', async () => {
    shows('2024-11-05/basic/transports/endpoint-event');
    const { open } = await served();
    const [one, other] = [await open(), await open()];
    expect(one.status).toBe(200);
    expect(one.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    const id = /^event: endpoint\ndata: \/messages\?sessionId=([0-9a-f-]{36})$/;
    expect(await one.block(1)).toMatch(id);
    expect(await other.block(1)).toMatch(id);
    expect(await one.endpoint()).not.toBe(await other.endpoint());
  });

  it('carries the answers to posted messages, immediate and later ones', async () => {
    shows('2024-11-05/basic/transports/message-events');
    const { open, application } = await served();
    const stream = await open();
    const { receiver } = application.end();
    let finish = (_: string): void => {};
    const slow = new Promise<string>((resolve) => {
      finish = resolve;
    });
    receiver.reply = (value) => ((value as typeof ping).id === 1 ? slow : '{"quick":true}');
    for (const id of [1, 2]) {
      const answer = await post(await stream.endpoint(), { ...ping, id });
      expect(answer).toMatchObject({ status: 202, body: 'Accepted' });
    }
    expect(await stream.block(2)).toBe('event: message\ndata: {"quick":true}');
    finish('{"slow":true}');
    expect(await stream.block(3)).toBe('event: message\ndata: {"slow":true}');
  });

  it('is the exchange of all posted messages', async () => {
    const { open, application } = await served();
    const stream = await open({ authorization: 'ann' });
    const { receiver } = application.end();
    const seen: unknown[] = [];
    receiver.reply = (_, exchange) => {
      seen.push(exchange.facts);
      void exchange.send('{"progress":1}');
      return '{"done":true}';
    };
    await post(await stream.endpoint(), ping, { authorization: 'ann' });
    expect(await stream.block(2)).toBe('event: message\ndata: {"progress":1}');
    expect(await stream.block(3)).toBe('event: message\ndata: {"done":true}');
    expect(seen).toEqual([
      { principal: { id: 'ann' }, remoteAddress: '127.0.0.1', anonymous: false, transport: 'sse' },
    ]);
  });

  it('carries no message of another session', async () => {
    const { open, application } = await served();
    const [ann, bob] = [await open(), await open()];
    application.end(1).receiver.reply = () => '{"for":"ann"}';
    application.end(2).receiver.reply = () => '{"for":"bob"}';
    await Promise.all([post(await ann.endpoint(), ping), post(await bob.endpoint(), ping)]);
    void application.end(1).connection.send('{"news":"ann"}');
    await Promise.all([ann.block(3), bob.block(2)]);
    await turn();
    expect(ann.blocks.slice(1)).toEqual([
      'event: message\ndata: {"for":"ann"}',
      'event: message\ndata: {"news":"ann"}',
    ]);
    expect(bob.blocks.slice(1)).toEqual(['event: message\ndata: {"for":"bob"}']);
    expect(application.end(2).receiver.values).toEqual([ping]);
  });

  it('requires GET and an Accept header for event streams', async () => {
    const { origin } = await served();
    const refused = await raw(`${origin}/sse`, { headers: { accept: 'application/json' } });
    expect(refused.status).toBe(406);
    for (const method of ['POST', 'DELETE', 'PUT']) {
      const answer = await raw(`${origin}/sse`, { method });
      expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET' } });
    }
  });

  it('is kept alive by a comment when it was quiet, until its client leaves', async () => {
    const { open, application, clock } = await served();
    const stream = await open();
    await clock.advance(7_500);
    void application.end().connection.send('{"n":1}');
    await clock.advance(7_500);
    await clock.advance(7_500);
    expect(await stream.block(3)).toBe(':');
    expect(stream.blocks.slice(1)).toEqual(['event: message\ndata: {"n":1}', ':']);
    await stream.leave();
    await application.end().receiver.end();
    await clock.advance(7_500);
    expect(clock.waiting).toEqual([]);
  });
});

describe('the end of a session', () => {
  it('comes immediately when the client disconnects', async () => {
    const { open, application, mount } = await served();
    const stream = await open();
    const endpoint = await stream.endpoint();
    await stream.leave();
    expect(await application.end().receiver.end()).toBeUndefined();
    expect(mount.sessions).toBe(0);
    expect(await post(endpoint, ping)).toMatchObject({ status: 404 });
    expect(application.end().connection.send('{}')).toBeUndefined();
    await application.end().connection.close();
    expect(application.end().receiver.ends).toHaveLength(1);
  });

  it('ends the stream after sent messages when the server closes it', async () => {
    const { open, application, mount } = await served();
    const stream = await open();
    void application.end().connection.send('{"last":true}');
    await application.end().connection.close();
    await stream.ended;
    expect(stream.blocks[1]).toBe('event: message\ndata: {"last":true}');
    expect(mount.sessions).toBe(0);
    expect(application.end().receiver.ends).toEqual([]);
  });

  it('rejects a message if its session ends while it arrives', () => {
    const { application, mount, stream } = held();
    const [, path = ''] = /data: (.*)\n/.exec(stream.sent[0] ?? '') ?? [];
    const message = new HeldCall('POST', path);
    mount.handle(message, undefined);
    expect(message.status).toBeUndefined();
    stream.leave();
    message.arrive(JSON.stringify(ping));
    expect(message.status).toBe(404);
    expect(application.end().receiver.values).toEqual([]);
  });

  it('may come before the session has started', () => {
    const { application, mount } = held();
    const early = new HeldCall('GET', '/sse');
    early.leave();
    mount.handle(early, undefined);
    expect(application.end(2).receiver.ends).toEqual([undefined]);
    expect(mount.sessions).toBe(1);
  });

  it('comes after sessionLifetime', async () => {
    const { open, application, clock, mount } = await served({ limits: { sessionLifetime: 20_000 } });
    const stream = await open();
    await clock.advance(15_000);
    expect(mount.sessions).toBe(1);
    await clock.advance(15_000);
    await stream.ended;
    expect(mount.sessions).toBe(0);
    expect(application.ends).toHaveLength(1);
  });

  it('comes for a client that does not read', async () => {
    const { open, application } = await served();
    const stream = await open();
    stream.stall();
    const { connection, receiver } = application.end();
    const frame = JSON.stringify('x'.repeat(1_048_576));
    for (let sent = 0; sent < 64 && receiver.ends.length === 0; sent++) {
      void connection.send(frame);
      await turn();
    }
    expect(await receiver.end()).toBeUndefined();
  });

  it('waits for running requests when the server drains, and accepts messages but no new streams', async () => {
    const { open, application, mount, origin } = await served();
    const stream = await open();
    const end = application.end();
    let finish = (): void => {};
    end.finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const drained = mount.drain();
    expect(mount.drain()).toBe(drained);
    expect(await raw(`${origin}/sse`)).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    expect(await post(await stream.endpoint(), ping)).toMatchObject({ status: 202 });
    expect(end.receiver.values).toEqual([ping]);
    void end.connection.send('{"answer":true}');
    finish();
    await drained;
    await stream.ended;
    expect(stream.blocks[1]).toBe('event: message\ndata: {"answer":true}');
  });
});

describe('posting', () => {
  it('requires the id of an open session', async () => {
    const { origin, application } = await served();
    const message = { jsonrpc: '2.0', error: { code: -32600 } };
    for (const query of ['', '?', '?session=1']) {
      const answer = await post(`${origin}/messages${query}`, ping);
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.body)).toMatchObject(message);
    }
    for (const id of ['', 'x', '00000000-0000-4000-8000-000000000000', '__proto__']) {
      expect(await post(`${origin}/messages?sessionId=${id}`, ping)).toMatchObject({ status: 404 });
    }
    expect(application.ends).toEqual([]);
  });

  it('is reserved for the caller that opened the session', async () => {
    const { open, application } = await served();
    const [owned, anyones] = [await open({ authorization: 'ann' }), await open()];
    for (const authorization of ['bob', undefined]) {
      const headers = authorization === undefined ? {} : { authorization };
      expect(await post(await owned.endpoint(), ping, headers)).toMatchObject({ status: 404 });
    }
    expect(await post(await anyones.endpoint(), ping, { authorization: 'bob' })).toMatchObject({
      status: 404,
    });
    expect(application.ends.flatMap(({ receiver }) => receiver.values)).toEqual([]);
    expect(await post(await owned.endpoint(), ping, { authorization: 'ann' })).toMatchObject({ status: 202 });
  });

  it('accepts JSON with any Accept header', async () => {
    const { open } = await served();
    const endpoint = await (await open()).endpoint();
    for (const accept of ['application/json', 'text/event-stream', '*/*', 'text/plain']) {
      expect(await post(endpoint, ping, { accept })).toMatchObject({ status: 202 });
    }
    const charset = { 'content-type': 'application/json; charset=utf-8' };
    expect(await post(endpoint, ping, charset)).toMatchObject({ status: 202 });
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
    ]) {
      expect(await post(endpoint, ping, { 'content-type': type })).toMatchObject({ status: 415 });
    }
    expect(await post(endpoint, ping, { 'content-encoding': 'gzip' })).toMatchObject({ status: 415 });
    for (const method of ['GET', 'DELETE']) {
      expect(await raw(endpoint, { method })).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    }
  });

  it('rejects unreadable bodies, and the session stays open', async () => {
    const { open, application } = await served();
    const stream = await open();
    const endpoint = await stream.endpoint();
    const headers = { 'content-type': 'application/json' };
    expect(await post(endpoint, 'x'.repeat(10_485_760))).toMatchObject({ status: 413 });
    const garbage = ['{"a":', '', 'nonsense', `${'['.repeat(600)}${']'.repeat(600)}`];
    for (const body of garbage) expect(await post(endpoint, body)).toMatchObject({ status: 400 });
    const bytes = Uint8Array.of(0x22, 0xff, 0x22);
    expect(await raw(endpoint, { method: 'POST', headers, body: bytes })).toMatchObject({ status: 400 });
    expect(application.end().receiver.values).toEqual([]);
    application.end().receiver.reply = () => '{"alive":true}';
    expect(await post(endpoint, ping)).toMatchObject({ status: 202 });
    expect(await stream.block(2)).toBe('event: message\ndata: {"alive":true}');
  });

  it('passes any JSON to the session, batches too', async () => {
    const { open, application } = await served();
    const endpoint = await (await open()).endpoint();
    for (const value of [[ping, ping], 7, null, {}]) await post(endpoint, value);
    expect(application.end().receiver.values).toEqual([[ping, ping], 7, null, {}]);
  });
});

describe('a mount', () => {
  it('answers at configured paths', async () => {
    const { open, origin } = await served({ path: '/old/events', messagesPath: '/old/inbox' });
    const stream = await open();
    expect(await stream.block(1)).toMatch(/^event: endpoint\ndata: \/old\/inbox\?sessionId=/);
    expect(await post(await stream.endpoint(), ping)).toMatchObject({ status: 202 });
    expect(await raw(`${origin}/sse`)).toMatchObject({ status: 404 });
  });

  it('takes POSTs at the end of messagesPath behind a proxy that strips a prefix', async () => {
    const { open, origin } = await served({ messagesPath: '/tools/mcp/messages' });
    const stream = await open();
    const block = await stream.block(1);
    expect(block).toMatch(/^event: endpoint\ndata: \/tools\/mcp\/messages\?sessionId=/);
    const query = /\?\S+/.exec(block)?.[0];
    for (const path of ['/tools/mcp/messages', '/mcp/messages', '/messages'])
      expect(await post(origin + path + query, ping)).toMatchObject({ status: 202 });
    expect(await post(`${origin}/tools/messages${query}`, ping)).toMatchObject({ status: 404 });
  });

  it('checks Host and Origin', async () => {
    const { origin } = await served();
    for (const headers of [{ host: 'evil.example.com' }, { origin: 'https://evil.example.com' }]) {
      expect(await raw(`${origin}/sse`, { headers })).toMatchObject({ status: 403 });
      expect(await post(`${origin}/messages`, ping, headers)).toMatchObject({ status: 403 });
    }
  });

  it('reports an application that throws, without details for the client', async () => {
    class Broken extends NotedApplication {
      override accept(): never {
        throw new Error('secret');
      }
    }
    class Idle extends NotedApplication {
      override accept(): { inFlight: number; close(): Promise<void> } {
        return { inFlight: 0, close: () => Promise.resolve() };
      }
    }
    for (const [application, expected] of [
      [new Broken(), 'secret'],
      [new Idle(), 'must start'],
    ] as const) {
      const { origin, mount } = await served({ application });
      const answer = await raw(`${origin}/sse`);
      expect(answer).toMatchObject({ status: 500, body: expect.not.stringContaining('secret') });
      expect(application.errors).toEqual([
        expect.objectContaining({ message: expect.stringContaining(expected) }),
      ]);
      expect(mount.sessions).toBe(0);
    }
  });

  it('ends a stream when its application fails after the start', () => {
    class Late extends NotedApplication {
      override accept(connection: Connection): never {
        super.accept(connection);
        throw new Error('secret');
      }
    }
    const application = new Late();
    const mount = new SseMount(application);
    const stream = new HeldCall('GET', '/sse');
    mount.handle(stream, undefined);
    expect(stream.closed).toBe(true);
    expect(mount.sessions).toBe(0);
    expect(application.errors).toHaveLength(1);
  });

  it('reports a body that a framework has already read', () => {
    const { application, mount, stream } = held();
    const [, path = ''] = /data: (.*)\n/.exec(stream.sent[0] ?? '') ?? [];
    const message = new HeldCall('POST', path);
    mount.handle(message, undefined);
    message.arrive({ problem: { status: 500, reason: 'Read before.' } });
    expect(message.status).toBe(500);
    expect(application.errors).toEqual([expect.objectContaining({ message: 'Read before.' })]);
  });

  it('throws for invalid options', () => {
    const make = (options: object) => () => new SseMount(new NotedApplication(), options);
    for (const path of ['', 'sse', '/a?b', '/a#b', '/a b', '/a\nb', '/ä']) {
      expect(make({ path })).toThrow(TypeError);
      expect(make({ messagesPath: path })).toThrow(TypeError);
    }
    expect(make({ path: '/messages' })).toThrow(TypeError);
    expect(make({ limits: { sessions: 0 } })).toThrow(RangeError);
    expect(make({ limits: { sesions: 1 } })).toThrow(TypeError);
  });
});
