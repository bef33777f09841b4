// Fills one column: `node column-process.js ID [URL [PROCESSES]]`. Sends `{ call, cell }` for each call over the IPC channel.
import { Application } from '../peers/application.js';
import { fillCell, withinTime } from './cells.js';
import { columns, isGuarded } from './columns.js';
import { programOf } from './programs.js';
import { callsOf } from './suites.js';

const [id, url, processes] = process.argv.slice(2);
const named = columns.find((one) => one.id === id);
if (named === undefined) throw new Error(`No column is named ${id}.`);
/** @type {typeof named} */
const column = processes === undefined ? named : { ...named, processes: Number(processes) };

const application = new Application();
/** @type {import('../peers/sign-in.js').SignIn | undefined} */
const defaultSignIn = isGuarded(column) ? { by: 'user' } : undefined;
const peer = await reach(application, url);
for (const call of callsOf(column)) {
  process.send?.({ call: call.name, cell: await fillCell(call, { peer, application, column, url, reach }) });
}
await withinTime(Promise.resolve(peer.close()), 5_000);
process.disconnect();

/** @type {import('./cells.js').Scene['reach']} */
async function reach(application, url, signIn = defaultSignIn) {
  const {
    client,
    transport,
    revision,
    mode = 'legacy',
    byFetch = false,
    signInBy,
  } = /** @type {typeof columns[number]} */ (column);
  const target =
    url === undefined
      ? {
          transport: /** @type {const} */ ('stdio'),
          ...programOf(/** @type {typeof columns[number]} */ (column)),
        }
      : { transport: /** @type {'http' | 'sse'} */ (transport), url };
  const connecting = { target, revision, application, byFetch, signIn, signInBy };
  return withinTime(connect(client, { ...connecting, mode }), 10_000);
}

/**
 * @param {import('./columns.js').ClientName} client
 * @param {import('../peers/peer.js').Connecting & { mode: 'legacy' | 'auto' | 'pin' }} connecting
 * @returns {Promise<import('../peers/peer.js').Peer>}
 */
async function connect(client, connecting) {
  if (client === 'tenon') return (await import('../peers/tenon.js')).connectTenon(connecting);
  if (client === 'official-v1')
    return (await import('../peers/official-v1.js')).connectOfficialV1(connecting);
  return (await import('../peers/official-v2.js')).connectOfficialV2(connecting);
}
