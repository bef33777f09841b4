// The idle peers of a server, in a process of their own.
import { Agent } from 'node:http';
import { serveCommands } from '../children/commands.js';
import { unhandled } from '../children/complaints.js';
import { request } from '../wire/requests.js';
import { endSession, openSession } from '../wire/sessions.js';
import { ListenStream } from './listen-stream.js';

const found = unhandled();
const revisions = ['2025-11-25', '2025-06-18', '2025-03-26'];
/** Concurrent requests. */
const workers = 32;
const agent = new Agent({ keepAlive: true, maxSockets: workers });
let url = '';

/** @type {import('../wire/sessions.js').Session[]} */
let sessions = [];
/** @type {ListenStream[]} */
let streams = [];

serveCommands({
  begin: (given) => {
    url = given.url;
  },
  openSessions: async ({ count }) => {
    sessions = sessions.concat(
      await each(count, (index) => {
        const client = { name: `peer-${index}` };
        return openSession(url, { agent, client, revision: revisions[index % revisions.length] ?? '' });
      }),
    );
    agent.destroy();
  },
  pingSessions: async ({ sample }) => {
    const step = Math.max(1, Math.floor(sessions.length / sample));
    const chosen = sessions.filter((_, index) => index % step === 0);
    const answers = await eachOf(chosen, ping);
    agent.destroy();
    return { asked: answers.length, answered: answers.filter(Boolean).length };
  },
  endSessions: async () => {
    const ended = sessions;
    sessions = [];
    await eachOf(ended, (session) => endSession(url, session, agent));
    agent.destroy();
  },
  listen: async ({ count }) => {
    streams = streams.concat(await each(count, (index) => ListenStream.open(url, index)));
  },
  received: () => ({
    changes: streams.map(({ changes }) => changes),
    broken: streams.filter(({ over }) => over).length,
  }),
  endStreams: async () => {
    for (const stream of streams.splice(0)) stream.close();
  },
  found: () => found,
});

/**
 * Runs a task for each number, with a limit on concurrent tasks.
 *
 * @template T
 * @param {number} count
 * @param {(index: number) => Promise<T>} task
 * @returns {Promise<T[]>}
 */
async function each(count, task) {
  /** @type {T[]} */
  const results = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < count; index = next++) results[index] = await task(index);
  };
  await Promise.all(Array.from({ length: Math.min(workers, count) }, worker));
  return results;
}

/**
 * @template Item, T
 * @param {readonly Item[]} items
 * @param {(item: Item) => Promise<T>} task
 */
function eachOf(items, task) {
  return each(items.length, (index) => task(/** @type {Item} */ (items[index])));
}

/** @param {import('../wire/sessions.js').Session} session */
async function ping({ headers }) {
  const message = { jsonrpc: '2.0', id: 'ping', method: 'ping' };
  const answer = await request(url, { agent, method: 'POST', headers, message });
  return answer.status === 200 && answer.text === '{"jsonrpc":"2.0","id":"ping","result":{}}';
}
