// Fills one column: `node column-process.js ID`. Tells `{ call, cell }` for each call, over the IPC channel.
import { Application } from '../peers/application.js';
import { fillCell, withinTime } from './cells.js';
import { columns, commandOf } from './columns.js';
import { callsOf } from './suites.js';

const column = columns.find(({ id }) => id === process.argv[2]);
if (column === undefined) throw new Error(`no column is named ${process.argv[2]}`);

const application = new Application();
const peer = await withinTime(connect(column), 10_000);
for (const call of callsOf(column.server)) {
  process.send?.({ call: call.name, cell: await fillCell(call, { peer, application, column }) });
}
await withinTime(Promise.resolve(peer.close()), 5_000);
process.disconnect();

/**
 * @param {import('./columns.js').Column} column
 * @returns {Promise<import('../peers/peer.js').Peer>}
 */
async function connect({ client, server, revision, mode = 'legacy' }) {
  const connecting = { ...commandOf(server), revision, application };
  if (client === 'tenon') return (await import('../peers/tenon.js')).connectTenon(connecting);
  if (client === 'official-v1')
    return (await import('../peers/official-v1.js')).connectOfficialV1(connecting);
  return (await import('../peers/official-v2.js')).connectOfficialV2({ ...connecting, mode });
}
