// A measured process that calls: `node caller.js CONTENDER memory|http|stdio LIFECYCLE [URL]`. Sends `'ready'`, answers
// `{ run: { ms, depth } }` with `{ count, cpu, ms, beside? }`, and the messages of `usage-reports.js`. A wrong answer ends it with code 1.
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { workloads } from '../matrix/wires.js';
import { runOf } from './caller-loops.js';
import { cores, taskset } from './pinning.js';
import { reportUsage } from './usage-reports.js';

const [name = '', over = '', lifecycle = '', url = ''] = process.argv.slice(2);

const contender = await import(`../contenders/${name}.js`);
/** @type {import('../contenders/base/raw-caller.js').Caller} */
const caller = await open();
const inTurn = over === 'memory';
const run = runOf(caller, inTurn);
const runBeside = caller.beside && runOf(caller.beside, inTurn);

/** Milliseconds of one slice of a caller that is measured in turn with another. */
const slice = 10;

process.on('message', (/** @type {any} */ order) => {
  if (order?.run !== undefined) void measured(order.run).then((sample) => process.send?.(sample), fail);
});
process.on('SIGTERM', end);
process.on('disconnect', end);
reportUsage();
// A process that only calls itself has no other handle to keep it alive.
process.channel?.ref();
process.send?.('ready');

function open() {
  if (over === 'memory') return contender.memoryCaller(lifecycle);
  if (over === 'http') return contender.httpClient(lifecycle, url);
  if (over === 'stdio') return contender.stdioClient(lifecycle, childServer());
  throw new RangeError(`A caller calls over memory, http or stdio, not "${over}".`);
}

/** Starts the floor over stdio, away from the measured core if possible. */
function childServer() {
  const server = fileURLToPath(new URL('server.js', import.meta.url));
  const args = [server, 'floor', 'stdio', lifecycle, 'few'];
  const pin = cpus().length > 1 ? taskset() : undefined;
  if (pin === undefined) return { command: process.execPath, args };
  return { command: pin, args: ['-c', String(cores.driving), process.execPath, ...args] };
}

/**
 * Calls for some time. Checks the complete answers of one call before and one after it.
 *
 * @param {{ ms: number, depth: number }} order
 * @returns {Promise<import('../rounds/sample.js').Sample>}
 */
async function measured(order) {
  requireRight(await caller.call());
  const sample = runBeside === undefined ? await sampleOf(run, order) : await sampleInTurn(runBeside, order);
  requireRight(await caller.call());
  return sample;
}

/**
 * @param {typeof run} call
 * @param {{ ms: number, depth: number }} order
 * @returns {Promise<import('../rounds/sample.js').Sample>}
 */
async function sampleOf(call, order) {
  const start = performance.now();
  const before = process.cpuUsage();
  const count = await call(order);
  const { user, system } = process.cpuUsage(before);
  return { count, cpu: user + system, ms: performance.now() - start };
}

/**
 * Runs both callers in turn, for the time of the order each.
 *
 * @param {typeof run} other
 * @param {{ ms: number, depth: number }} order
 */
async function sampleInTurn(other, { ms, depth }) {
  const sum = { count: 0, cpu: 0, ms: 0, beside: { count: 0, cpu: 0, ms: 0 } };
  const both = [
    { call: other, to: sum.beside },
    { call: run, to: sum },
  ];
  do {
    for (const { call, to } of both) {
      const { count, cpu, ms: taken } = await sampleOf(call, { ms: Math.min(ms, slice), depth });
      to.count += count;
      to.cpu += cpu;
      to.ms += taken;
    }
    // The one that runs first differs from slice to slice.
    both.reverse();
  } while (sum.ms < ms);
  return sum;
}

/** @param {any} result */
function requireRight(result) {
  const problem = workloads.call.problem(result);
  if (problem !== undefined) throw new Error(problem);
}

/** @param {unknown} error */
function fail(error) {
  console.error(error);
  process.exit(1);
}

function end() {
  setTimeout(() => process.exit(), 1_000).unref();
  void Promise.resolve(caller.close()).then(() => process.exit(), fail);
}
