import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { badRecords, batching, handshake, initialize, request, toolCall } from '../wire/messages.js';

/** @typedef {import('./stage.js').Stage} Stage */

/**
 * One resource attack over HTTP.
 *
 * @typedef {object} Attack
 * @property {string} name
 * @property {string} about one line for the list
 * @property {(stage: Stage) => Promise<void>} run leaves open everything that it opens
 * @property {import('./victim.js').VictimState} [state] the attacked server is one of its own, with state and tasks
 * @property {boolean} [once] true if there is no run before the one that is measured
 */

/** @param {(index: number) => object} make @param {number} count */
const list = (make, count) => Array.from({ length: count }, (_, index) => make(index));

/** @param {number} count */
const reads = (count) => list((id) => request(id, 'resources/read', { uri: `large://${id}` }), count);

/** @type {readonly Attack[]} */
export const httpAttacks = [
  {
    name: 'batch-of-reads',
    about: 'batches of 100 reads of a 4 MiB resource, in sessions',
    run: async (stage) => {
      const session = await stage.session(batching);
      await stage.each(3, () => stage.post(reads(100), session));
    },
  },
  {
    name: 'batch-of-calls',
    about: 'batches of 100 asynchronous calls with answers of 4 MiB, in sessions, unread',
    run: async (stage) => {
      const session = await stage.session(batching);
      for (const socket of await stage.sockets(5))
        socket.write(
          stage.bytes(
            list((id) => toolCall(id, 'large-later'), 100),
            session,
          ),
        );
      await stage.hold();
    },
  },
  {
    name: 'pipelined-answers',
    about: '150 calls on one connection with answers of 4 MiB, unread, in no session',
    run: async (stage) => {
      const socket = await stage.socket();
      for (let id = 0; id < 150; id++) socket.write(stage.aloneBytes(toolCall(id, 'large')));
      await stage.hold();
    },
  },
  {
    name: 'pipelined-session',
    about: 'the same in a session, on 4 connections',
    run: async (stage) => {
      const session = await stage.session(handshake);
      for (const socket of await stage.sockets(4))
        for (let id = 0; id < 50; id++)
          socket.write(stage.bytes(toolCall(`${socket.localPort}-${id}`, 'large-later'), session));
      await stage.hold();
    },
  },
  {
    name: 'unread-answers',
    about: '300 connections, each with one answer of 4 MiB unread',
    run: async (stage) => {
      for (const socket of await stage.sockets(300)) socket.write(stage.aloneBytes(toolCall(1, 'large')));
      await stage.hold();
    },
  },
  {
    name: 'trickling-readers',
    about: '100 connections that read 4 KiB of an answer of 4 MiB now and then',
    run: async (stage) => {
      const sockets = await stage.sockets(100);
      for (const socket of sockets) socket.write(stage.aloneBytes(toolCall(1, 'large')));
      for (const until = performance.now() + stage.patience; performance.now() < until; await pause(100))
        for (const socket of sockets) socket.read(4_096);
    },
  },
  {
    name: 'unread-replays',
    about: 'streams of 32 Mi characters in a session, replayed on 30 connections, unread',
    run: async (stage) => {
      const session = await stage.session(handshake);
      const id = await firstEventId(stage, session);
      for (const socket of await stage.sockets(30))
        socket.write(stage.head('GET', { ...session, accept: 'text/event-stream', 'last-event-id': id }));
      await stage.hold();
    },
  },
  {
    name: 'destroyed-calls',
    about: '2,000 calls that wait, whose connections go away at once',
    run: async (stage) => {
      await stage.each(2_000, async (id) => {
        const socket = await stage.socket();
        socket.write(stage.aloneBytes(toolCall(id, 'wait')));
        socket.destroySoon();
        await once(socket, 'close');
      });
      await stage.hold();
    },
  },
  {
    name: 'calls-over-sessions',
    about: '100 sessions with 100 calls each that wait',
    run: async (stage) => {
      await stage.each(100, async () => {
        const session = await stage.session(handshake);
        const socket = await stage.socket();
        for (let id = 0; id < 100; id++) socket.write(stage.bytes(toolCall(id, 'wait'), session));
      });
      await stage.hold();
    },
  },
  {
    name: 'schema-records',
    about: 'bodies of 4 MB with 90,000 wrong records for a schema library',
    run: async (stage) => {
      const message = toolCall(1, 'records', { records: badRecords(90_000) });
      for (const socket of await stage.sockets(4)) socket.write(stage.aloneBytes(message));
      await stage.hold();
    },
  },
  {
    name: 'schema-branches',
    about: 'bodies of 4 MB with 120,000 values that fit no branch of a union',
    run: async (stage) => {
      const message = toolCall(1, 'shapes', { shapes: list(() => ({ kind: 'none', side: 'x' }), 120_000) });
      for (const socket of await stage.sockets(4)) socket.write(stage.aloneBytes(message));
      await stage.hold();
    },
  },
  {
    name: 'bodies-under-way',
    about: '200 connections, each with a body of 4 MiB but for its last byte',
    run: async (stage) => {
      const body = Buffer.alloc(4 * 2 ** 20 - 1, ' ');
      for (const socket of await stage.sockets(200)) {
        socket.write(stage.head('POST', { 'content-length': String(4 * 2 ** 20) }));
        socket.write(body);
      }
      await stage.hold();
    },
  },
  {
    name: 'sessions',
    about: '5,000 sessions opened and left',
    run: async (stage) => {
      await stage.each(5_000, async () => {
        await stage.session(handshake);
      });
    },
  },
  {
    name: 'introductions',
    about: '500 handshakes whose client info is as large as a body may be',
    run: async (stage) => {
      const message = initialize(handshake);
      const params = { ...message.params, clientInfo: { name: 'x'.repeat(4_000_000), version: '1' } };
      await stage.each(100, () => stage.post({ ...message, params }));
    },
  },
  {
    name: 'deep-and-wide',
    about: 'bodies of 4 MB nested as deep, or with as many members, as fit',
    run: async (stage) => {
      const wide = JSON.stringify(
        Object.fromEntries(list((n) => [`k${n}`, n], 250_000).map((pair) => Object.values(pair))),
      );
      const bodies = ['['.repeat(2_000_000), `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`, wide];
      for (const socket of await stage.sockets(12)) {
        const body = bodies[(socket.localPort ?? 0) % bodies.length] ?? '';
        socket.write(stage.head('POST', { 'content-length': String(body.length) }));
        socket.write(body);
      }
      await stage.hold();
    },
  },
  {
    name: 'wide-arguments',
    about: 'bodies of 4 MB whose arguments have 250,000 members no schema knows',
    run: async (stage) => {
      const input = Object.fromEntries(Array.from({ length: 250_000 }, (_, n) => [`k${n}`, n]));
      for (const socket of await stage.sockets(8)) socket.write(stage.aloneBytes(toolCall(1, 'echo', input)));
      await stage.hold();
    },
  },
  {
    name: 'small-values',
    about: '12 connections that each send bodies of 3.5 MB with 1.1 million empty objects, one after another',
    run: async (stage) => {
      const bytes = stage.aloneBytes(toolCall(1, 'echo', { text: 'x', values: Array(1_150_000).fill({}) }));
      const sockets = await stage.sockets(12);
      await Promise.all(sockets.map((socket) => stage.repeat(socket, bytes)));
    },
  },
  {
    name: 'listen-streams',
    about: '3,000 streams that listen, unread',
    run: async (stage) => {
      const filter = { notifications: { toolsListChanged: true, resourceSubscriptions: ['large://1'] } };
      await stage.each(3_000, async (id) => {
        const socket = await stage.socket();
        socket.write(stage.aloneBytes(request(id, 'subscriptions/listen', filter)));
      });
      await stage.hold();
    },
  },
  {
    name: 'subscriptions',
    about: 'subscriptions to URIs of 8,000 characters in 20 sessions',
    run: async (stage) => {
      await stage.each(20, async (number) => {
        const session = await stage.session(handshake);
        for (let id = 0; id < 200; id++)
          await stage.post(
            request(id, 'resources/subscribe', { uri: `large://${number}-${id}-${'x'.repeat(8_000)}` }),
            session,
          );
      });
    },
  },
  {
    name: 'slow-heads',
    about: '2,000 connections that send one header and no more',
    run: async (stage) => {
      await stage.each(2_000, async () => {
        const socket = await stage.socket();
        socket.write(`POST ${stage.url.pathname} HTTP/1.1\r\nhost: ${stage.url.host}\r\nx-slow: `);
      });
      await stage.hold();
    },
  },
  {
    name: 'garbage',
    about: '500 connections that send 64 KiB of bytes that are not HTTP',
    run: async (stage) => {
      const bytes = Buffer.from(Array.from({ length: 65_536 }, (_, n) => (n * 7_919) % 256));
      await stage.each(500, async () => (await stage.socket()).write(bytes));
      await stage.hold();
    },
  },
  {
    name: 'completions',
    about: '5,000 completions and as many lists with cursors that were never given',
    run: async (stage) => {
      const session = await stage.session(handshake);
      await stage.each(5_000, async (id) => {
        const ref = { type: 'ref/prompt', name: 'greet' };
        await stage.post(
          request(id, 'completion/complete', { ref, argument: { name: 'name', value: 'x'.repeat(1_000) } }),
          session,
        );
        await stage.post(request(`l${id}`, 'tools/list', { cursor: 'x'.repeat(2_000) }), session);
      });
    },
  },
  {
    name: 'batch-over-sse',
    about: 'batches of 100 reads of a 4 MiB resource over HTTP+SSE, unread',
    run: async (stage) => {
      await stage.each(4, async () => {
        const socket = await stage.socket();
        const address = await messagesAddress(stage, socket);
        const send = (/** @type {object} */ message) => stage.post(message, {}, address);
        await send(initialize('2024-11-05'));
        await send({ jsonrpc: '2.0', method: 'notifications/initialized' });
        await send(reads(100));
        for (let id = 0; id < 50; id++) await send(toolCall(`c${id}`, 'large'));
      });
      await stage.hold();
    },
  },
];

/** @param {number} id */
function callWithProgress(id) {
  const call = toolCall(id, 'chatter');
  return { ...call, params: { ...call.params, _meta: { progressToken: id } } };
}

/**
 * Returns the id of the first event on a stream of its own.
 *
 * @param {Stage} stage
 * @param {Readonly<Record<string, string>>} session
 */
async function firstEventId(stage, session) {
  const { text } = await stage.post(callWithProgress(1), session);
  const id = /^id: ?(\S+)/m.exec(text)?.[1];
  if (id === undefined) throw new Error('The stream had no event with an id.');
  return id;
}

/**
 * Opens a stream of the HTTP+SSE transport, and returns the address for messages. The stream is not read further.
 *
 * @param {Stage} stage
 * @param {import('node:net').Socket} socket
 * @returns {Promise<URL>}
 */
async function messagesAddress(stage, socket) {
  socket.write(`GET /sse HTTP/1.1\r\nhost: ${stage.url.host}\r\naccept: text/event-stream\r\n\r\n`);
  let text = '';
  for (;;) {
    socket.resume();
    const [chunk] = await once(socket, 'data');
    socket.pause();
    text += chunk;
    const path = /^data: ?(\S+)/m.exec(text)?.[1];
    if (path !== undefined) return new URL(path, stage.url);
  }
}
