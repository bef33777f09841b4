// A process that calls and is measured: `node caller.js CONTENDER memory|http|stdio LIFECYCLE [URL]`. Says `'ready'`, answers
// `{ run: { ms, depth } }` with `{ count, cpu, ms }`, and what `questions.js` answers. A wrong answer ends it with code 1.
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { workloads } from '../matrix/wires.js';
import { runOf } from './caller-loops.js';
import { cores, taskset } from './pinning.js';
import { answerQuestions } from './questions.js';

const [name = '', over = '', lifecycle = '', url = ''] = process.argv.slice(2);

const contender = await import(`../contenders/${name}.js`);
/** @type {import('../contenders/raw-caller.js').Caller} */
const caller = await open();
const run = runOf(caller, over === 'memory');

process.on('message', (/** @type {any} */ order) => {
  if (order?.run !== undefined) void measured(order.run).then((sample) => process.send?.(sample), fail);
});
process.on('SIGTERM', end);
process.on('disconnect', end);
answerQuestions();
// Nothing else need keep a process alive that calls itself.
process.channel?.ref();
process.send?.('ready');

function open() {
  if (over === 'memory') return contender.memoryCaller(lifecycle);
  if (over === 'http') return contender.httpClient(lifecycle, url);
  if (over === 'stdio') return contender.stdioClient(lifecycle, childServer());
  throw new RangeError(`callers call over memory, http or stdio, not "${over}"`);
}

/** The floor over stdio, away from the core that is measured where that can be done. */
function childServer() {
  const server = fileURLToPath(new URL('server.js', import.meta.url));
  const args = [server, 'floor', 'stdio', lifecycle, 'few'];
  const pin = cpus().length > 1 ? taskset() : undefined;
  if (pin === undefined) return { command: process.execPath, args };
  return { command: pin, args: ['-c', String(cores.driving), process.execPath, ...args] };
}

/**
 * Calls for some time; the answers of a call before and of one after it are looked at closely.
 *
 * @param {{ ms: number, depth: number }} order
 * @returns {Promise<{ count: number, cpu: number, ms: number }>} microseconds of CPU of this process, and milliseconds
 */
async function measured(order) {
  requireRight(await caller.call());
  const start = performance.now();
  const before = process.cpuUsage();
  const count = await run(order);
  const { user, system } = process.cpuUsage(before);
  const ms = performance.now() - start;
  requireRight(await caller.call());
  return { count, cpu: user + system, ms };
}

/** @param {any} result */
function requireRight(result) {
  const flaw = workloads.call.flaw(result);
  if (flaw !== undefined) throw new Error(flaw);
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
