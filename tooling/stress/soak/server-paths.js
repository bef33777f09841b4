import { fileURLToPath } from 'node:url';
import { connect } from '@tenon/mcp-client';
import { httpTarget } from '@tenon/mcp-client/http';
import { sseTarget } from '@tenon/mcp-client/sse';
import { connectTest, everyRevision } from '@tenon/mcp-testing';
import { watched } from '../storm/wire-watch.js';
import { childDialer } from './child-dialer.js';
import { restlessPlan } from './restless-plan.js';

/** @typedef {import('@tenon/mcp-client').Client} Client */
/** @typedef {import('@tenon/mcp-client').ClientOptions} ClientOptions */

/**
 * The function that opens a client.
 *
 * @typedef {object} ClientSetup
 * @property {import('./soak-servers.js').SoakServers} servers
 * @property {import('../storm/ledger.js').Ledger} ledger
 * @property {import('../faults/random.js').Random} random
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
 * @property {readonly string[]} revisions one caller is started for each
 * @property {boolean} [whole] true if nothing breaks: every call must get its right answer
 * @property {boolean} [lossy] true if single messages are lost, doubled or damaged
 * @property {boolean} [uncounted] true if the handled calls cannot be counted: another process handles them, or requests are doubled
 * @property {(setup: ClientSetup) => Promise<Opened>} open
 */

const [newest = '', ...handshake] = everyRevision;
const oldest = String(handshake.at(-1));
const streamable = everyRevision.filter((revision) => revision !== oldest);

/** @type {readonly ServerPath[]} */
export const serverPaths = [
  {
    name: 'memory',
    revisions: everyRevision,
    whole: true,
    open: ({ servers, options }) => connectTest(servers.server, { client: options, maxFrames: 8 }),
  },
  {
    name: 'memory with faults',
    revisions: everyRevision,
    lossy: true,
    uncounted: true,
    open: ({ servers, options, random }) => {
      const faults = restlessPlan(servers, random);
      return connectTest(servers.server, { client: options, maxFrames: 8, faults });
    },
  },
  {
    name: 'bytes in pieces',
    revisions: everyRevision,
    whole: true,
    open: ({ servers, options, random }) => {
      const faults = { split: 50, seed: random.whole(1, 1_000_000) };
      return connectTest(servers.server, { client: options, maxFrames: 8, transport: 'stdio', faults });
    },
  },
  {
    name: 'stdio, children that die',
    revisions: [newest, String(handshake[0]), oldest],
    uncounted: true,
    open: async ({ servers, ledger, options, random }) => {
      const file = fileURLToPath(new URL('stdio-server.js', import.meta.url));
      const { dialer, deaths } = childDialer([file], servers, random);
      const open = async () => watched(await dialer.open(), ledger);
      return opened(await connect({ ...dialer, open }, options), deaths);
    },
  },
  {
    name: 'HTTP through a proxy that breaks',
    revisions: [...streamable, ...streamable],
    open: async ({ servers, ledger, options, random }) => {
      const { open } = httpTarget(servers.url, { clock: options.clock, random: random.next });
      return opened(
        await connect({ open: async () => watched(await open(), ledger), restartable: true }, options),
      );
    },
  },
  {
    name: 'HTTP+SSE through the same proxy',
    revisions: [oldest],
    open: async ({ servers, ledger, options }) => {
      const { open } = sseTarget(new URL('/sse', servers.url), { clock: options.clock });
      return opened(
        await connect({ open: async () => watched(await open(), ledger), restartable: true }, options),
      );
    },
  },
];

/**
 * @param {Client} client
 * @param {readonly unknown[]} [faults]
 * @returns {Opened}
 */
function opened(client, faults = []) {
  return { client, faults, close: () => client.close() };
}
