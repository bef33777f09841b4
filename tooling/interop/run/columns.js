import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * One client with one server.
 *
 * @typedef {object} Column
 * @property {string} id
 * @property {string} heading
 * @property {'tenon' | 'official-v1' | 'official-v2'} client
 * @property {ServerName} server
 * @property {string} [revision] the client is told to speak
 * @property {'legacy' | 'auto' | 'pin'} [mode] of the official 2.x client
 * @property {string} speaks the revision they must agree on
 *
 * @typedef {'server-everything' | 'fixture-v1' | 'fixture-v2' | 'tenon-everything'} ServerName
 */

const handshake = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const stateless = '2026-07-28';

/** @type {readonly { name: ServerName, title: string }[]} */
export const servers = [
  { name: 'server-everything', title: "Tenon's client with @modelcontextprotocol/server-everything" },
  { name: 'fixture-v1', title: "Tenon's client with a server on @modelcontextprotocol/sdk 1.x" },
  { name: 'fixture-v2', title: "Tenon's client with a server on @modelcontextprotocol/server 2.x" },
  { name: 'tenon-everything', title: "The official SDKs' clients with Tenon's everything-server" },
];

/** @type {readonly Column[]} */
export const columns = [
  ...ours('server-everything', handshake),
  ...ours('fixture-v1', handshake),
  ...ours('fixture-v2', [...handshake, stateless]),
  theirs({ heading: '1.x', client: 'official-v1', speaks: '2025-11-25' }),
  ...handshake.map((revision) =>
    theirs({
      heading: `2.x ${revision}`,
      client: 'official-v2',
      mode: 'legacy',
      revision,
      speaks: revision,
    }),
  ),
  theirs({ heading: '2.x auto', client: 'official-v2', mode: 'auto', speaks: stateless }),
  theirs({
    heading: `2.x ${stateless}`,
    client: 'official-v2',
    mode: 'pin',
    revision: stateless,
    speaks: stateless,
  }),
];

/**
 * @param {ServerName} server
 * @param {string[]} revisions that it speaks, oldest first
 * @returns {Column[]}
 */
function ours(server, revisions) {
  const pinned = revisions.map((revision) => ({
    id: `tenon ${revision} ${server}`,
    heading: revision,
    client: /** @type {const} */ ('tenon'),
    server,
    revision,
    speaks: revision,
  }));
  const speaks = /** @type {string} */ (revisions.at(-1));
  return [...pinned, { id: `tenon ${server}`, heading: 'unpinned', client: 'tenon', server, speaks }];
}

/**
 * @param {Omit<Column, 'id' | 'server'>} column
 * @returns {Column}
 */
function theirs(column) {
  return { id: `${column.client} ${column.heading}`, server: 'tenon-everything', ...column };
}

/**
 * How a server is started.
 *
 * @param {ServerName} server
 * @returns {{ command: string, args: string[] }}
 */
export function commandOf(server) {
  const command = process.execPath;
  const here = fileURLToPath(new URL('..', import.meta.url));
  if (server === 'tenon-everything') {
    const main = join(here, '../../apps/everything-server/dist/main.js');
    return { command, args: [main, '--stdio', '--page-size', '2'] };
  }
  if (server !== 'server-everything') return { command, args: [join(here, 'servers', `${server}.js`)] };
  const require = createRequire(import.meta.url);
  const manifest = require.resolve('@modelcontextprotocol/server-everything/package.json');
  return { command, args: [join(dirname(manifest), 'dist/index.js'), 'stdio'] };
}
