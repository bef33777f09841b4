// The idle peers of a server, in a process of their own.
import { Agent } from 'node:http';
import { serveCommands } from '../children/commands.js';
import { unhandled } from '../children/complaints.js';
import { ListenStream } from './listen-stream.js';
import { request } from './requests.js';

const found = unhandled();
const revisions = ['2025-11-25', '2025-06-18', '2025-03-26'];
/** Concurrent requests. */
const workers = 32;
const agent = new Agent({ keepAlive: true, maxSockets: workers });
let url = '';

/** @type {{ readonly id: string, readonly revision: string }[]} */
let sessions = [];
/** @type {ListenStream[]} */
let streams = [];

serveCommands({
  begin: (given) => {
    url = given.url;
  },
  openSessions: async ({ count }) => {
    sessions = sessions.concat(await each(count, openSession));
    agent.destroy();
  },
  pingSessions: async ({ sample }) => {
    const step = Math.max(1, Math.floor(sessions.length / sample));
    const chosen = sessions.filter((_, index) => index % step === 0);
    const answers = await each(chosen.length, async (index) => ping(chosen[index]));
    agent.destroy();
    return { asked: answers.length, answered: answers.filter(Boolean).length };
  },
  endSessions: async () => {
    const ended = sessions;
    sessions = [];
    await each(ended.length, async (index) =>
      request(url, { agent, method: 'DELETE', headers: headersOf(ended[index]) }),
    );
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
 * @param {Readonly<Record<string, string>>} headers
 * @param {object} message
 */
function post(headers, message) {
  return request(url, { agent, method: 'POST', headers, message });
}

/** @param {number} index */
async function openSession(index) {
  const revision = /** @type {string} */ (revisions[index % revisions.length]);
  const clientInfo = { name: `peer-${index}`, version: '1.0.0' };
  const params = { protocolVersion: revision, capabilities: {}, clientInfo };
  const answer = await post({}, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const id = answer.headers['mcp-session-id'];
  if (typeof id !== 'string')
    throw new Error(`initialize was answered with HTTP ${answer.status}: ${answer.text}`);
  const session = { id, revision };
  await post(headersOf(session), { jsonrpc: '2.0', method: 'notifications/initialized' });
  return session;
}

/** @param {{ readonly id: string, readonly revision: string } | undefined} session */
async function ping(session) {
  const answer = await post(headersOf(session), { jsonrpc: '2.0', id: 'ping', method: 'ping' });
  return answer.status === 200 && answer.text === '{"jsonrpc":"2.0","id":"ping","result":{}}';
}

/**
 * @param {{ readonly id: string, readonly revision: string } | undefined} session
 * @returns {Record<string, string>}
 */
function headersOf(session) {
  if (session === undefined) return {};
  return { 'mcp-session-id': session.id, 'mcp-protocol-version': session.revision };
}
