import { setImmediate as turn } from 'node:timers/promises';
import { otherBounds } from '@tenon/foundation';
import { TransportError } from '@tenon/mcp-protocol';
import { revision20241105, revision20250618 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { Recorder } from '../../../../tooling/suite/recorder.js';
import { shows } from '../../../../tooling/suite/shows.js';
import { connected } from '../../test/connected.js';
import { ScriptedSse } from '../../test/scripted-sse.js';
import { openSse } from '../client.js';

const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const pong = { jsonrpc: '2.0', id: 1, result: {} };
const notice = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });

describe('sending', () => {
  it('posts each frame to the URI of the endpoint event', async () => {
    shows('2024-11-05/basic/transports/posts-to-endpoint');
    const { server, connection } = await connected({ headers: { authorization: 'Bearer secret' } });
    connection.settled(revision20241105);
    await connection.send(ping, { id: 1 });
    await connection.send(notice);
    expect(server.posts.map(({ body }) => body)).toEqual([ping, notice]);
    const { request } = await server.post();
    expect(request.url).toBe('/messages?id=1');
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      authorization: 'Bearer secret',
    });
    expect(request.headers['mcp-protocol-version']).toBeUndefined();
  });

  it('names the revision if it has a header for that', async () => {
    const { server, connection } = await connected();
    connection.settled(revision20250618);
    await connection.send(notice);
    expect((await server.post()).request.headers['mcp-protocol-version']).toBe('2025-06-18');
  });

  it('calls the function for headers before each request', async () => {
    shows('2024-11-05/basic/index/own-authentication');
    let count = 0;
    const headers = async () => ({ 'x-count': String(++count) });
    const { server, connection } = await connected({ headers });
    await connection.send(notice);
    await connection.send(notice);
    expect(server.posts.map(({ request }) => request.headers['x-count'])).toEqual(['2', '3']);
  });

  it.each([
    [200, JSON.stringify(pong)],
    [204, ''],
    [202, 'x'.repeat(200_000)],
  ])('takes %i for a success, whatever the body', async (status, body) => {
    const { connection, receiver, server } = await connected({
      onPost: ({ response }) => response.writeHead(status, { 'content-type': 'application/json' }).end(body),
    });
    await connection.send(ping, { id: 1 });
    await connection.send(notice);
    server.say(pong);
    expect(await receiver.count(1)).toEqual([pong]);
  });

  it('reads only the beginning of a success response', async () => {
    const { connection, server } = await connected({
      onPost: ({ response }) => response.writeHead(202).write('x'.repeat(200_000)),
    });
    await connection.send(notice);
    const { response } = await server.post();
    await new Promise((resolve) => response.once('close', resolve));
  });

  it('rejects only the messages that the server refuses', async () => {
    let status = 400;
    const { connection, receiver, server } = await connected({
      onPost: ({ response }) =>
        response
          .writeHead(status, { 'content-type': 'text/plain' })
          .end(status === 202 ? '' : 'no such thing'),
    });
    for (status of [400, 413, 500]) {
      const refused = connection.send(ping, { id: 1 });
      await expect(refused).rejects.toThrow(`${server.origin} answered HTTP ${status}: no such thing`);
      await expect(refused).rejects.toMatchObject({ name: 'TransportError', status, unhandled: false });
    }
    status = 401;
    await expect(connection.send(ping, { id: 1 })).rejects.toThrow('requires authorization');
    status = 202;
    await connection.send(ping, { id: 1 });
    expect(receiver.ends).toEqual([]);
  });

  it('treats HTTP 404 as the loss of the session', async () => {
    const { connection, receiver, server } = await connected({
      onPost: ({ response }) => response.writeHead(404).end(),
    });
    await expect(connection.send(ping, { id: 1 })).rejects.toMatchObject({ status: 404, unhandled: true });
    expect(await receiver.end()).toMatchObject({ name: 'TransportError', status: 404 });
    server.say(pong);
    await server.deserted();
    expect(receiver.values).toEqual([]);
  });

  it('rejects after the end, and reports the message as unhandled', async () => {
    const { connection } = await connected({ onPost: ({ response }) => response.writeHead(404).end() });
    // In the same turn, before all listeners have been notified of the end.
    const late = connection.send(ping, { id: 1 }).catch(() => connection.send(ping, { id: 2 }));
    await expect(late).rejects.toMatchObject({ message: 'The connection is closed.', unhandled: true });
  });

  it('limits the connections for answers that do not end, in number and time', async () => {
    const { connection, server, clock } = await connected({
      onPost: ({ response }) => response.writeHead(202).write('and'),
      limits: otherBounds({ maxAnswersLeaving: 2 }),
    });
    const sent = [connection.send(notice), connection.send(notice), connection.send(notice)];
    await Promise.all(sent.slice(0, 2));
    // Turns of the event loop in which the third would arrive.
    for (let time = 0; time < 50; time++) await turn();
    expect(server.posts).toHaveLength(2);
    await clock.advance(2_000);
    await sent[2];
    expect(server.posts).toHaveLength(3);
  });

  it('rejects after acceptWaitMs when the server accepts no message', async () => {
    const { connection, server, clock } = await connected({ onPost: () => {} });
    const sent = connection.send(notice);
    await server.post();
    await clock.advance(60_000);
    await expect(sent).rejects.toThrow(/did not take a message within 60000 ms \(limit acceptWaitMs\)/);
  });

  it('waits for the answer of a request without acceptWaitMs', async () => {
    const { connection, server, clock, receiver } = await connected({ onPost: () => {} });
    let settled = false;
    const sent = connection.send(ping, { id: 1 }).catch(() => {
      settled = true;
    });
    const { response } = await server.post();
    await clock.advance(600_000);
    await turn();
    expect(settled).toBe(false);
    server.say(pong);
    await receiver.count(1);
    expect(clock.waiting).toHaveLength(1);
    response.writeHead(202).end();
    await sent;
    await turn();
    expect(clock.waiting).toEqual([]);
  });

  it('aborts a cancelled request, and leaves the notification to the session', async () => {
    const { connection, server, clock } = await connected({ onPost: () => {} });
    const sent = connection.send(ping, { id: 1 });
    const { response } = await server.post();
    expect(connection.cancel(1)).toBe(false);
    expect(connection.cancel(2)).toBe(false);
    await sent;
    await new Promise((resolve) => response.once('close', resolve));
    expect(clock.waiting).toEqual([]);
  });
});

describe('receiving', () => {
  it('delivers messages in order, and posts the answers', async () => {
    shows('2024-11-05/basic/transports/message-events');
    const { server, receiver } = await connected();
    receiver.reply = (value) => ((value as { id: number }).id === 2 ? '{"answer":2}' : undefined);
    server.write('data: {"id":1}\n\nevent: message\ndata: {"id":2}\n\nevent: message\ndata: [{"id":3}]\n\n');
    expect(await receiver.count(3)).toEqual([{ id: 1 }, { id: 2 }, [{ id: 3 }]]);
    expect((await server.post()).body).toBe('{"answer":2}');
  });

  it('keeps messages that arrive before start', async () => {
    const begin = 'event: endpoint\ndata: /m\n\ndata: {"id":1}\n\ndata: {"id":2}\n\n';
    const server = await ScriptedSse.start();
    server.onGet = ({ response }) => server.stream(response, begin);
    const connection = await openSse(server.url)();
    server.say({ id: 3 });
    const receiver = new Recorder();
    connection.start(receiver);
    expect(await receiver.count(3)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    expect(() => connection.start(receiver)).toThrow(TypeError);
    await connection.close();
  });

  it('stops reading before start', async () => {
    const encoder = new TextEncoder();
    let read = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const text = read === 0 ? 'event: endpoint\ndata: /m\n\n' : `data: ${read}\n\n`;
          controller.enqueue(encoder.encode(text));
          if (++read === 1_000) controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { 'content-type': 'text/event-stream' };
    const connection = await openSse('http://127.0.0.1/sse', {
      fetch: async () => new Response(body, { headers }),
    })();
    for (let turns = 0; turns < 20; turns++) await turn();
    expect(read).toBe(1);
    const receiver = new Recorder();
    connection.start(receiver);
    expect((await receiver.count(100)).slice(0, 3)).toEqual([1, 2, 3]);
    await connection.close();
  });

  it('ignores events that are not messages', async () => {
    const { server, receiver, connection } = await connected();
    server.write(': comment\n\nevent: ping\ndata: {"id":1}\n\ndata:\n\nevent: endpoint\ndata: /other\n\n');
    server.say({ id: 2 });
    expect(await receiver.count(1)).toEqual([{ id: 2 }]);
    expect(receiver.problems).toEqual([]);
    await connection.send(notice);
    expect((await server.post()).request.url).toBe('/messages?id=1');
  });

  it('reports an event that is not JSON or nested too deeply, and continues', async () => {
    const { server, receiver } = await connected();
    server.say('{"a":');
    server.say(`${'['.repeat(600)}${']'.repeat(600)}`);
    server.say(pong);
    expect(await receiver.count(1)).toEqual([pong]);
    expect(receiver.problems).toEqual([
      expect.stringContaining('not JSON'),
      expect.stringContaining('512 levels'),
    ]);
  });

  it.each([
    ['a huge event', `data: "${'x'.repeat(5_000)}"\n\n`, 'maxEventChars'],
    ['an event without an end', 'data: '.repeat(1_000), 'maxEventChars'],
    ['bytes that are not UTF-8', Uint8Array.of(0x64, 0xff, 0x0a), 'UTF-8'],
  ])('ends with an error on %s', async (_, bytes, expected) => {
    const { server, receiver } = await connected({ limits: otherBounds({ maxEventChars: 4_096 }) });
    server.write(bytes);
    const reason = await receiver.end();
    expect(reason).toBeInstanceOf(TransportError);
    expect(reason?.message).toContain(expected);
    await server.deserted();
    expect(receiver.values).toEqual([]);
  });
});

describe('the end of a connection', () => {
  it('comes with the end of the stream, and rejects all waiting requests', async () => {
    const { server, receiver, connection, clock } = await connected({ onPost: () => {} });
    const sent = connection.send(ping, { id: 1 });
    const noticed = connection.send(notice);
    const expected = [
      expect(sent).rejects.toThrow(TransportError),
      expect(noticed).rejects.toThrow(TransportError),
    ];
    await server.post(2);
    server.streams[0]?.socket?.resetAndDestroy();
    await clock.armed(2_000);
    await clock.advance(2_000);
    await Promise.all(expected);
    expect(await receiver.end()).toBeInstanceOf(TransportError);
    await server.deserted();
    await expect(connection.send(ping, { id: 2 })).rejects.toThrow('closed');
    await connection.close();
    expect(receiver.ends).toHaveLength(1);
    expect(clock.waiting).toEqual([]);
  });

  it('comes after the server has refused or accepted the requests that are being posted', async () => {
    const { server, receiver, connection, clock } = await connected({ onPost: () => {} });
    const sent = [connection.send(ping, { id: 1 }), connection.send(ping, { id: 2 })];
    const refused = expect(sent[0]).rejects.toMatchObject({ status: 404, unhandled: true });
    const posts = [await server.post(1), await server.post(2)];
    server.streams[0]?.end();
    await clock.armed(2_000);
    const late = connection.send(ping, { id: 3 });
    const order = late.catch(({ unhandled }) => `late ${unhandled} after ${receiver.ends.length}`);
    posts[0]?.response.writeHead(404).end();
    await refused;
    expect(receiver.ends).toEqual([]);
    posts[1]?.response.writeHead(202).end();
    await sent[1];
    expect(await order).toBe('late true after 0');
    expect((await receiver.end())?.message).toContain('ended the event stream');
    expect(clock.waiting).toEqual([]);
  });

  it('comes when the server ends the stream normally', async () => {
    const { server, receiver } = await connected();
    server.streams[0]?.end('event: message\ndata: {"last":true}\n\n');
    expect((await receiver.end())?.message).toContain('ended the event stream');
    expect(receiver.values).toEqual([{ last: true }]);
  });

  it('is reported at start if it came before', async () => {
    const server = await ScriptedSse.start();
    const connection = await openSse(server.url, { fetch: globalThis.fetch })();
    await connection.close();
    const receiver = new Recorder();
    connection.start(receiver);
    expect(await receiver.end()).toBeUndefined();
    await turn();
    expect(receiver.ends).toEqual([undefined]);
  });

  it('leaves no socket and no timer after pending messages are sent', async () => {
    const { server, receiver, connection, clock } = await connected();
    const asked = connection.send(ping, { id: 1 });
    const expected = asked.catch((error: unknown) => error);
    const sent = connection.send(notice);
    const closing = connection.close();
    expect(connection.close()).toBe(closing);
    await Promise.all([sent, closing]);
    expect(await expected).toMatchObject({ message: 'The connection is closed.' });
    expect(server.posts.map(({ body }) => body)).toContain(notice);
    await server.deserted();
    expect(clock.waiting).toEqual([]);
    expect(receiver.ends).toEqual([undefined]);
  });

  it('waits no longer than closeWaitMs for pending messages', async () => {
    const { server, connection, clock } = await connected({ onPost: () => {} });
    const sent = expect(connection.send(notice)).rejects.toThrow('closed');
    await server.post();
    const closing = connection.close();
    await turn();
    await clock.advance(2_000);
    await Promise.all([closing, sent]);
    await server.deserted();
    expect(clock.waiting).toEqual([]);
  });
});

describe('over fetch', () => {
  it('works like over Node', async () => {
    const { server, receiver, connection } = await connected({ fetch: globalThis.fetch });
    receiver.reply = () => '{"answer":true}';
    await connection.send(ping, { id: 1 });
    server.say({ id: 2 });
    await receiver.count(1);
    expect((await server.post(2)).body).toBe('{"answer":true}');
    server.streams[0]?.socket?.resetAndDestroy();
    expect(await receiver.end()).toBeInstanceOf(TransportError);
  });
});
