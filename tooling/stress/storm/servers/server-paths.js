import { fileURLToPath } from 'node:url';
import { otherBounds } from '@tenon/foundation';
import { connect, SessionError } from '@tenon/mcp-client';
import { httpTarget } from '@tenon/mcp-client/http';
import { sseTarget } from '@tenon/mcp-client/sse';
import { connectTest, everyRevision } from '@tenon/mcp-testing';
import { childDialer } from '../callers/child-dialer.js';
import { watched } from '../callers/wire-watch.js';
import { isExplained } from '../findings/known-errors.js';
import { restlessPlan } from '../restless-plan.js';

/** @typedef {import('@tenon/mcp-client').Client} Client */
/** @typedef {import('@tenon/mcp-client').ClientOptions} ClientOptions */

/**
 * The values that opening a client needs.
 *
 * @typedef {object} ClientSetup
 * @property {string} url of the proxy
 * @property {import('@tenon/mcp-server').Server | undefined} server if it is in this process
 * @property {() => boolean} isOver true after the storm: nothing may break any more
 * @property {import('../findings/ledger.js').Ledger} ledger
 * @property {import('../../faults/random.js').Random} random
 * @property {ClientOptions} options
 */

/**
 * @typedef {object} Opened
 * @property {Client} client
 * @property {() => Promise<void>} close
 * @property {readonly unknown[]} [faults] the faults that occurred
 */

/**
 * One path to the server, with its callers.
 *
 * @typedef {object} ServerPath
 * @property {string} name
 * @property {readonly (string | undefined)[]} revisions of its callers, in turn; undefined to negotiate
 * @property {boolean} [lossy] true if single messages are lost, doubled or damaged
 * @property {boolean} [uncounted] true if the handled calls cannot be counted: another process handles them, or requests are doubled
 * @property {ClientOptions['limits']} [limits]
 * @property {(error: unknown, what: string) => boolean} [explains] false for an error that the faults of the path do not cause
 * @property {(setup: ClientSetup) => Promise<Opened>} open
 */

const [newest = '', ...handshake] = everyRevision;
const oldest = String(handshake.at(-1));
const streamable = everyRevision.filter((revision) => revision !== oldest);

/**
 * Nothing breaks: every call gets its right answer.
 *
 * @type {ServerPath['explains']}
 */
const cancelledHere = (error, what) =>
  what === 'cancelled' && error instanceof SessionError && error.reason === 'cancelled';

/** @param {ClientSetup} setup */
function serverIn({ server }) {
  if (server === undefined) throw new Error('This path needs the server in the process of its callers.');
  return server;
}

/**
 * Connects over a transport with a name for each connection of its own: a negotiating client must send its own probe.
 *
 * @param {{ open: () => any }} target
 * @param {ClientSetup} setup
 * @param {readonly unknown[]} [faults]
 * @returns {Promise<Opened>}
 */
async function connected({ open }, { ledger, options }, faults = []) {
  const dialer = { open: async () => watched(await open(), ledger), restartable: true };
  const client = await connect(dialer, options);
  return { client, faults, close: () => client.close() };
}

/** @param {ClientSetup} setup */
function overHttp(setup) {
  const { url, options, random } = setup;
  return connected(httpTarget(url, { clock: options.clock, random: random.next }), setup);
}

/** Streamable HTTP through the proxy, by revisions with sessions and without. @type {readonly ServerPath[]} */
export const httpPaths = [
  {
    name: 'sessions',
    revisions: ['2025-11-25', '2025-06-18', '2025-03-26'],
    explains: isExplained,
    open: overHttp,
  },
  // Every second stateless caller negotiates.
  { name: 'stateless', revisions: [newest, undefined], explains: isExplained, open: overHttp },
];

/** Every transport. @type {readonly ServerPath[]} */
export const everyPath = [
  {
    name: 'memory',
    revisions: everyRevision,
    explains: cancelledHere,
    open: (setup) => connectTest(serverIn(setup), { client: setup.options, ...otherBounds({ frames: 8 }) }),
  },
  {
    name: 'memory with faults',
    revisions: everyRevision,
    lossy: true,
    uncounted: true,
    limits: { requestTimeout: 1_500, requestTotal: 8_000 },
    open: (setup) => {
      const faults = restlessPlan(setup);
      return connectTest(serverIn(setup), { client: setup.options, ...otherBounds({ frames: 8 }), faults });
    },
  },
  {
    name: 'bytes in pieces',
    revisions: everyRevision,
    explains: cancelledHere,
    open: (setup) => {
      const faults = { split: 50, seed: setup.random.whole(1, 1_000_000) };
      const options = { client: setup.options, ...otherBounds({ frames: 8 }), faults };
      return connectTest(serverIn(setup), { ...options, transport: 'stdio' });
    },
  },
  {
    name: 'stdio, children that die',
    revisions: [newest, String(handshake[0]), oldest],
    uncounted: true,
    open: (setup) => {
      const file = fileURLToPath(new URL('stdio-server.js', import.meta.url));
      const { dialer, deaths } = childDialer([file], setup.isOver, setup.random);
      return connected(dialer, setup, deaths);
    },
  },
  {
    name: 'HTTP through a proxy that breaks',
    revisions: [...streamable, ...streamable],
    open: overHttp,
  },
  {
    name: 'HTTP+SSE through the same proxy',
    revisions: [oldest],
    open: (setup) => {
      const { url, options } = setup;
      return connected(sseTarget(new URL('/sse', url), { clock: options.clock }), setup);
    },
  },
];
