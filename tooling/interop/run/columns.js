/**
 * One client with one server, over one transport.
 *
 * @typedef {object} Column
 * @property {string} id
 * @property {string} heading
 * @property {ClientName} client
 * @property {ServerName} server
 * @property {Transport} transport
 * @property {string} [revision] the revision that the client must use
 * @property {'legacy' | 'auto' | 'pin'} [mode] of the official 2.x client
 * @property {boolean} [byFetch] true if our client sends with `fetch`
 * @property {SignInBy} [signInBy] the form in which an official client has Tenon's sign-in
 * @property {string} speaks the revision that both must agree on
 * @property {number} [processes] the processes of the server, if there are several
 *
 * @typedef {'tenon' | 'official-v1' | 'official-v2'} ClientName
 * @typedef {'server-everything' | 'fixture-v1' | 'fixture-v1-json' | 'fixture-v2' | 'fixture-v2-sessionless'
 *   | 'fixture-tmcp' | 'fixture-mcp-lite' | 'fixture-fastmcp' | 'tenon-everything'
 *   | 'guarded-v1' | 'guarded-v1-older' | 'guarded-v2' | 'guarded-tenon'} ServerName
 * @typedef {'stdio' | 'http' | 'sse'} Transport
 * @typedef {'fetch' | 'authProvider' | 'oauthProvider'} SignInBy a member of what `officialAuth` of `@tenon/mcp-auth/official` returns
 *
 * @typedef {{ title: string, columns: readonly Column[] }} Section columns that make the same calls
 */

const handshake = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
/** The handshake revisions with Streamable HTTP. */
const sessions = handshake.slice(1);
const stateless = '2026-07-28';

/** @type {readonly { name: ServerName, title: string }[]} */
const servers = [
  { name: 'server-everything', title: '@modelcontextprotocol/server-everything' },
  { name: 'fixture-v1', title: 'a server on @modelcontextprotocol/sdk 1.x' },
  { name: 'fixture-v1-json', title: 'a server on @modelcontextprotocol/sdk 1.x that answers in JSON' },
  { name: 'fixture-v2', title: 'a server on @modelcontextprotocol/server 2.x' },
  { name: 'fixture-v2-sessionless', title: 'a server on @modelcontextprotocol/server 2.x without sessions' },
  { name: 'fixture-tmcp', title: 'a server on tmcp' },
  { name: 'fixture-mcp-lite', title: 'a server on mcp-lite' },
  { name: 'fixture-fastmcp', title: 'a server on FastMCP' },
  {
    name: 'guarded-v1',
    title: 'a server on @modelcontextprotocol/sdk 1.x that has users sign in with itself',
  },
  { name: 'guarded-v1-older', title: 'the same without metadata of the resource, as in 2025-03-26' },
  { name: 'guarded-v2', title: 'a server on @modelcontextprotocol/server 2.x that has users sign in' },
];

/** @type {readonly { transport: Transport, over: string }[]} */
const transports = [
  { transport: 'stdio', over: 'over stdio' },
  { transport: 'http', over: 'over streamable HTTP' },
  { transport: 'sse', over: 'over HTTP+SSE' },
];

/** @type {readonly Column[]} */
export const columns = [
  ...ours('server-everything', 'stdio', handshake),
  ...ours('server-everything', 'http', sessions),
  ...ours('server-everything', 'sse', handshake),
  ...ours('fixture-v1', 'stdio', handshake),
  ...ours('fixture-v1', 'http', sessions),
  ...ours('fixture-v1', 'sse', handshake),
  ...ours('fixture-v1-json', 'http', ['2025-11-25']),
  ...ours('fixture-v2', 'stdio', [...handshake, stateless]),
  ...ours('fixture-v2', 'http', [...sessions, stateless]),
  ...byFetch('fixture-v2', ['2025-11-25', stateless]),
  ...ours('fixture-v2-sessionless', 'http', ['2025-11-25', stateless]),
  ...ours('fixture-tmcp', 'http', ['2025-03-26', '2025-06-18', stateless]),
  // mcp-lite answers an unknown revision with its oldest.
  ...ours('fixture-mcp-lite', 'http', ['2025-06-18', '2025-03-26']),
  ...ours('fixture-fastmcp', 'http', sessions),
  ...theirs('stdio', handshake),
  ...theirs('http', sessions),
  ...theirs('sse', handshake),
  ...ours('guarded-v1', 'http', sessions),
  ...ours('guarded-v1', 'sse', handshake),
  ...ours('guarded-v1-older', 'http', sessions),
  ...ours('guarded-v2', 'http', [...sessions, stateless]),
  ...byFetch('guarded-v2', ['2025-11-25', stateless]),
  ...theirs('http', sessions, 'guarded-tenon'),
  ...theirs('sse', handshake, 'guarded-tenon'),
  ...bySignIn('http'),
  ...bySignIn('sse'),
];

/**
 * True if the server requires authorization.
 *
 * @param {Pick<Column, 'server'>} column
 */
export function isGuarded({ server }) {
  return server.startsWith('guarded-');
}

/**
 * True if our server is reached over HTTP, and so can run as several processes.
 *
 * @param {Pick<Column, 'server' | 'transport'>} column
 */
export function canShare({ server, transport }) {
  return transport !== 'stdio' && (server === 'tenon-everything' || server === 'guarded-tenon');
}

/** @type {readonly Section[]} */
export const sections = [
  ...servers.map(({ name, title }) => ({ name, title: `Tenon's client with ${title}` })),
  {
    name: /** @type {const} */ ('tenon-everything'),
    title: "The official SDKs' clients with Tenon's everything-server",
  },
  {
    name: /** @type {const} */ ('guarded-tenon'),
    title: "The official SDKs' clients signing in at Tenon's server",
  },
].flatMap(({ name, title }) =>
  transports.flatMap(({ transport, over }) => {
    const own = columns.filter((column) => column.server === name && column.transport === transport);
    return own.length === 0 ? [] : [{ title: `${title}, ${over}`, columns: own }];
  }),
);

/**
 * Returns the columns of our client with a server of another framework.
 *
 * @param {ServerName} server
 * @param {Transport} transport
 * @param {string[]} revisions that the server speaks there; the last is negotiated with a client that speaks all
 * @returns {Column[]}
 */
function ours(server, transport, revisions) {
  const column = { client: /** @type {const} */ ('tenon'), server, transport };
  const pinned = revisions.map((revision) => ({
    ...column,
    id: `tenon ${revision} ${server} ${transport}`,
    heading: revision,
    revision,
    speaks: revision,
  }));
  const speaks = /** @type {string} */ (revisions.at(-1));
  return [...pinned, { ...column, id: `tenon ${server} ${transport}`, heading: 'unpinned', speaks }];
}

/**
 * Returns the columns of our client over Streamable HTTP as in runtimes other than Node.
 *
 * @param {ServerName} server
 * @param {string[]} revisions
 * @returns {Column[]}
 */
function byFetch(server, revisions) {
  return revisions.map((revision) => ({
    id: `tenon ${revision} ${server} http fetch`,
    heading: `${revision} fetch`,
    client: 'tenon',
    server,
    transport: 'http',
    revision,
    speaks: revision,
    byFetch: true,
  }));
}

/**
 * Returns the columns of the official clients with our server. The first generation requests its newest revision only.
 *
 * @param {Transport} transport
 * @param {string[]} revisions with a handshake, oldest first
 * @param {ServerName} server
 * @returns {Column[]}
 */
function theirs(transport, revisions, server = 'tenon-everything') {
  const column = { server, transport };
  const v2 = { ...column, client: /** @type {const} */ ('official-v2') };
  const speaks = /** @type {string} */ (revisions.at(-1));
  /** @type {Omit<Column, 'id'>[]} */
  const made = [
    { ...column, client: 'official-v1', heading: '1.x', speaks },
    ...revisions.map((revision) => ({
      ...v2,
      heading: `2.x ${revision}`,
      mode: /** @type {const} */ ('legacy'),
      revision,
      speaks: revision,
    })),
  ];
  // HTTP+SSE has no stateless revision.
  if (transport !== 'sse') {
    made.push(
      { ...v2, heading: '2.x auto', mode: 'auto', speaks: stateless },
      { ...v2, heading: `2.x ${stateless}`, mode: 'pin', revision: stateless, speaks: stateless },
    );
  }
  const to = isGuarded(column) ? `${server} ${transport}` : transport;
  return made.map((one) => ({ ...one, id: `${one.client} ${one.heading} ${to}` }));
}

/**
 * Returns the columns of the official clients that sign in by Tenon's providers.
 *
 * @param {'http' | 'sse'} transport
 * @returns {Column[]}
 */
function bySignIn(transport) {
  const speaks = /** @type {string} */ (handshake.at(-1));
  const column = { server: /** @type {const} */ ('guarded-tenon'), transport, speaks };
  const v1 = { ...column, client: /** @type {const} */ ('official-v1') };
  const v2 = { ...column, client: /** @type {const} */ ('official-v2') };
  const legacy = { mode: /** @type {const} */ ('legacy'), revision: speaks };
  const auto = { mode: /** @type {const} */ ('auto'), speaks: stateless };
  /** @type {Omit<Column, 'id'>[]} */
  const made = [
    { ...v1, heading: '1.x fetch', signInBy: 'fetch' },
    { ...v1, heading: '1.x oauthProvider', signInBy: 'oauthProvider' },
    { ...v2, ...legacy, heading: `2.x ${speaks} fetch`, signInBy: 'fetch' },
    { ...v2, ...legacy, heading: `2.x ${speaks} authProvider`, signInBy: 'authProvider' },
  ];
  if (transport === 'http') {
    made.push({ ...v2, ...auto, heading: '2.x auto fetch', signInBy: 'fetch' });
    made.push({ ...v2, ...auto, heading: '2.x auto authProvider', signInBy: 'authProvider' });
  }
  return made.map((one) => ({ ...one, id: `${one.client} ${one.heading} guarded-tenon ${transport}` }));
}
