import { otherBounds } from '@tenon/foundation';
import { expect } from 'vitest';
import { final, goodContent, initialized } from './liar.js';
import type { Posted, Raw } from './posted-liar.js';
import type { Stage } from './stage.js';
import { handshake, type Row, type Seen, table } from './table.js';

const events = { 'content-type': 'text/event-stream' };
const json = { 'content-type': 'application/json' };
const isGood: Seen = { result: expect.objectContaining({ content: goodContent }) };
const session: Pick<Row, 'over' | 'revisions'> = { over: ['http'], revisions: [handshake] };

function reply(
  { message, response }: Posted,
  result: object,
  headers: Record<string, string | string[]> = {},
): void {
  const text = JSON.stringify({ jsonrpc: '2.0', id: message.id, result });
  response.writeHead(200, { ...json, ...headers }).end(text);
}

const good = (posted: Posted, headers: Record<string, string> = {}) =>
  reply(posted, final({ content: goodContent }), headers);
/** Opens sessions with this id. */
const opening = (id: string | string[], more: Raw = {}): Raw => ({
  initialize: (posted) => reply(posted, initialized(handshake), { 'mcp-session-id': id }),
  ...more,
});
const callTwice = async ({ client }: Stage) => {
  await client.callTool('bad');
  return client.callTool('bad');
};
const driven = (stage: Stage) => stage.drive(stage.client.callTool('bad'));

table('session ids', [
  ...['ü', 'a b', '\t', 'x'.repeat(5_000)].map(
    (id): Row => ({
      name: `${JSON.stringify(id.slice(0, 10))} is refused, and not told`,
      raw: {
        initialize: ({ message, response: { socket } }) => {
          const text = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: initialized(handshake) });
          const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nmcp-session-id: x${id}x\r\ncontent-length: ${text.length}`;
          socket?.write(Buffer.from(`${head}\r\n\r\n${text}`, 'latin1'));
        },
      },
      ...session,
      connecting: true,
      sees: {
        error: 'TransportError',
        text: /^The session id of the server (holds characters other than visible ASCII|is longer than 4096 characters)\.$/,
      },
    }),
  ),
  {
    name: 'one that changes in mid-session is not taken up',
    raw: opening('first', {
      'tools/call bad': (posted) =>
        posted.request.headers['mcp-session-id'] === 'first'
          ? good(posted, { 'mcp-session-id': 'second' })
          : posted.response.writeHead(404).end(),
    }),
    ...session,
    act: callTwice,
    sees: isGood,
    afterwards: ({ liar }) => expect(liar.count('initialize')).toBe(1),
  },
  {
    name: 'a server that forgets each session at once is asked four times, and no more',
    raw: opening('gone', { 'tools/call bad': ({ response }) => response.writeHead(404).end() }),
    ...session,
    act: driven,
    sees: { error: 'TransportError', why: 404, text: /does not know the session any more/ },
    serves: false,
    afterwards: ({ liar }) => expect(liar.count('tools/call bad')).toBe(4),
  },
  {
    name: 'a server that forgets its session, and opens no other',
    raw: {
      initialize: (posted) =>
        posted.count === 1
          ? reply(posted, initialized(handshake), { 'mcp-session-id': 's' })
          : posted.response.writeHead(503).end(),
      'tools/call bad': ({ response }) => response.writeHead(404).end(),
    },
    ...session,
    act: driven,
    sees: { error: 'SessionError', why: 'closed', text: /6 attempts did not bring it back.*503/ },
    serves: false,
    afterwards: ({ client, liar }) => expect([client.state, liar.count('initialize')]).toEqual(['closed', 7]),
  },
  {
    name: 'a server that answers the end of a session with nothing',
    raw: opening('kept', { DELETE: () => {} }),
    ...session,
    act: ({ client }) => client.callTool('good'),
    sees: isGood,
  },
  {
    name: 'a server that answers the end of a session with a redirect',
    raw: opening('kept', {
      DELETE: ({ response }) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
    }),
    ...session,
    act: ({ client }) => client.callTool('good'),
    sees: isGood,
  },
]);

/** Moves the clock until the stream of a session was requested this many times. */
async function asked(stage: Stage, times: number): Promise<number> {
  await stage.client.callTool('good');
  const start = stage.clock.now();
  await stage.drive(stage.liar.receives('GET', times), 60_000);
  return stage.clock.now() - start;
}

const stream = (name: string, get: (posted: Posted) => unknown, more: Partial<Row>): Row => ({
  name,
  raw: opening('s', { GET: get }),
  ...session,
  sees: isGood,
  act: ({ client }) => client.callTool('good'),
  ...more,
});
const beginning = ({ response }: Posted) => response.writeHead(200, events);

const given: unknown[] = [];

table('the stream of a session', [
  stream('that ends at once is asked for less and less often', (posted) => beginning(posted).end(), {
    act: async (stage) => {
      const took = [await asked(stage, 2), await asked(stage, 4), await asked(stage, 8)];
      expect(took[0]).toBeGreaterThanOrEqual(250);
      return took[2];
    },
    sees: { result: expect.toSatisfy((ms: number) => ms > 20_000) },
  }),
  stream(
    'that ends at once for ever is given up, and the session with it',
    (posted) => beginning(posted).end(),
    {
      http: otherBounds({ maxEmptyStreams: 5 }),
      act: async (stage) => {
        await stage.client.callTool('good');
        await stage.drive(stage.liar.receives('initialize', 2), 60_000);
        return stage.liar.count('GET');
      },
      sees: { result: expect.toSatisfy((count: number) => count === 6 || count === 7) },
      serves: false,
    },
  ),
  stream('that is asked to come back at once does not', (posted) => beginning(posted).end('retry: 0\n\n'), {
    act: (stage) => asked(stage, 11),
    sees: { result: expect.toSatisfy((ms: number) => ms >= 1_000) },
  }),
  stream(
    'that wants to be left alone for ever is asked for within a minute',
    (posted) => beginning(posted).end('retry: 1000000000\n\n'),
    {
      act: (stage) => asked(stage, 2),
      sees: { result: 60_000 },
    },
  ),
  ...[400, 401, 403, 404, 405, 406, 410, 429, 500, 501, 503].map((status) =>
    stream(
      `that is refused with ${status} is done without`,
      ({ response }) => response.writeHead(status).end(),
      {
        act: async (stage) => {
          await stage.client.callTool('good');
          await stage.liar.receives('GET');
          return stage.client.callTool('good');
        },
      },
    ),
  ),
  stream(
    'that is a page',
    ({ response }) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    {},
  ),
  stream(
    'that leads to another server',
    ({ response }) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
    {},
  ),
  stream('with comments only', (posted) => beginning(posted).write(': hi\n\n'.repeat(10_000)), {}),
  stream(
    'with ids that hold line breaks and more',
    (posted) => {
      given.push(posted.request.headers['last-event-id']);
      if (posted.count === 1) beginning(posted).end('id: a\r\nid: b\u00fc\u0001\ndata:\n\n');
      else beginning(posted).flushHeaders();
    },
    {
      act: async (stage) => {
        await asked(stage, 2);
        return stage.client.callTool('good');
      },
      afterwards: () => expect(given).toEqual([undefined, undefined]),
    },
  ),
  stream('that answers a call: the id tells whose it is', () => {}, {
    raw: opening('s', {
      GET: (posted) => {
        streams.push(beginning(posted));
        posted.response.flushHeaders();
      },
      'tools/call bad': ({ message, response }) => {
        response.writeHead(200, events).flushHeaders();
        const result = final({ content: goodContent });
        streams.at(-1)?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result })}\n\n`);
      },
    }),
    act: async (stage) => {
      await stage.client.callTool('good');
      await stage.liar.receives('GET');
      return stage.client.callTool('bad');
    },
  }),
]);

const streams: { write(text: string): unknown }[] = [];

table('messages that are not taken', [
  {
    name: 'a notification that is answered 202 with a stream without end',
    raw: {
      'notifications/initialized': ({ response }) => response.writeHead(202, events).write(': x\n\n'),
    },
    ...session,
    act: ({ client }) => client.callTool('good'),
    sees: isGood,
  },
  {
    name: 'a notification that is answered with an error',
    raw: {
      'notifications/initialized': ({ response }) =>
        response.writeHead(400, json).end('{"jsonrpc":"2.0","error":{"code":1,"message":"x"}}'),
    },
    ...session,
    connecting: true,
    sees: { error: 'TransportError', why: 400, text: /HTTP 400/ },
  },
  {
    name: 'a notification that is never answered',
    raw: { 'notifications/initialized': () => {} },
    ...session,
    connecting: true,
    waits: 60_000,
    awaits: 'notifications/initialized',
    sees: { error: 'TransportError', text: /limit acceptWaitMs/ },
  },
  {
    name: 'calls that are answered 202 for ever',
    raw: { 'tools/call bad': ({ response }) => response.writeHead(202).end() },
    ...session,
    act: async ({ client }) => {
      const calls = Array.from({ length: 50 }, () =>
        client.callTool('bad').catch((error: Error) => error.name),
      );
      return [...new Set(await Promise.all(calls))];
    },
    sees: { result: ['TransportError'] },
  },
]);
