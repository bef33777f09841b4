// A process that calls and is measured: `node caller.js NAME LIFECYCLE`. Takes `{ ms }`, tells `{ count, cpu }`.
import { checkResult, wires } from './call.js';
import * as memory from './memory.js';
import * as stdio from './stdio-clients.js';

const [name = '', lifecycle] = process.argv.slice(2);
const wire = wires[lifecycle === 'stateless' ? 'stateless' : 'handshake'];
const depth = 64;

/** @type {Record<string, () => any>} */
const callers = {
  'memory-floor': () => memory.floorCaller(wire),
  'memory-tenon-json': () => memory.tenonCaller(wire, 'json'),
  'memory-tenon-zod': () => memory.tenonCaller(wire, 'zod'),
  'memory-official': () => memory.officialCaller(wire),
  'memory-tenon-client': () => memory.tenonClient(wire),
  'memory-official-client': () => memory.officialClient(wire),
  'stdio-raw': () => stdio.rawLoop(wire, { depth, coalesced: true }),
  'stdio-raw-plain': () => stdio.rawLoop(wire, { depth, coalesced: false }),
  'stdio-tenon-client': () => stdio.tenonClient(wire),
  'stdio-official-client': () => stdio.officialClient(wire),
};

const caller = await callers[name]?.();
if (caller === undefined) throw new Error(`no caller is named ${name}`);

process.on('message', async (/** @type {{ ms: number } | 'close'} */ order) => {
  if (order === 'close') {
    await caller.close?.();
    process.disconnect();
    return;
  }
  try {
    process.send?.(await measure(order.ms));
  } catch (error) {
    process.send?.({ error: String(error) });
  }
});
process.send?.('ready');

/** @param {number} ms */
async function measure(ms) {
  checkResult(await caller.call(1));
  const before = process.cpuUsage();
  const count = await run(ms);
  const { user, system } = process.cpuUsage(before);
  checkResult(await caller.call(2));
  return { count, cpu: user + system };
}

/** @param {number} ms */
function run(ms) {
  if (caller.run !== undefined) return caller.run(ms);
  if (name.startsWith('memory')) return memory.callInTurn(caller, ms);
  return stdio.callInParallel(caller, { ms, depth });
}
