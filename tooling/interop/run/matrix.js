import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { programOf } from './programs.js';
import { serve, serveShared } from './serving.js';
import { callsOf } from './suites.js';

/** @typedef {import('./columns.js').Column} Column */
/** @typedef {import('./cells.js').Cell} Cell */
/** @typedef {{ column: Column, cells: Map<string, Cell>, trouble: string | undefined }} Filled */

const program = fileURLToPath(new URL('column-process.js', import.meta.url));
const columnTimeout = 45_000;
/** Columns filled at a time. Each has two processes, which mostly wait; with a shared Redis it has more. */
const workers = { alone: 5, shared: 3 };

/**
 * Fills all columns, a few at a time, each in a process of its own. When the signal aborts, running columns are ended and
 * the rest stays blank.
 *
 * @param {readonly Column[]} columns
 * @param {{ signal: AbortSignal, processes: number, onFilled: (column: Column) => void }} options `processes` of each of our servers
 * @returns {Promise<Filled[]>}
 */
export async function fillAll(columns, { signal, processes, onFilled }) {
  /** @type {Filled[]} */
  const filled = [];
  const left = columns.entries();
  const work = async () => {
    for (const [place, column] of left) {
      filled[place] = await fill(column, { signal, processes });
      onFilled(column);
    }
  };
  await Promise.all(Array.from({ length: processes === 1 ? workers.alone : workers.shared }, work));
  return filled;
}

/**
 * @param {Column} column
 * @param {{ signal: AbortSignal, processes: number }} options
 * @returns {Promise<Filled>}
 */
async function fill(column, { signal, processes }) {
  /** @type {Map<string, Cell>} */
  const cells = new Map(callsOf(column).map(({ name }) => [name, { state: 'blank' }]));
  if (signal.aborted) return { column, cells, trouble: 'there was no time left' };
  // Over stdio a client starts its server itself; over HTTP it gets the server's URL.
  if (column.transport === 'stdio') return { column, cells, trouble: await drive({ column, cells, signal }) };
  try {
    const serving = await (processes === 1 ? serve(programOf(column)) : serveShared(column, processes));
    const { url, sse = '' } = serving.addresses;
    const trouble = await drive({
      column,
      cells,
      signal,
      url: column.transport === 'sse' ? sse : url,
      processes,
    });
    await serving.end();
    return { column, cells, trouble: trouble && `${trouble}\n${serving.stderr()}` };
  } catch (error) {
    return { column, cells, trouble: String(error) };
  }
}

/**
 * Runs a client in a process of its own, and records the cells it sends.
 *
 * @param {{ column: Column, cells: Map<string, Cell>, signal: AbortSignal, url?: string, processes?: number }} driving
 * @returns {Promise<string | undefined>} a problem that no cell shows
 */
function drive({ column, cells, signal, url, processes = 1 }) {
  const args = [column.id, ...(url === undefined ? [] : [url]), ...(processes === 1 ? [] : [`${processes}`])];
  const child = fork(program, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr = (stderr + chunk).slice(-4_000);
  });
  child.on('message', (/** @type {{ call: string, cell: Cell }} */ { call, cell }) => cells.set(call, cell));
  return new Promise((resolve) => {
    let late = false;
    const end = () => {
      late = true;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(end, columnTimeout);
    signal.addEventListener('abort', end, { once: true });
    child.on('close', (code, killedBy) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      const ended = late ? 'it did not end in time' : `it ended with ${code ?? killedBy}`;
      resolve(code === 0 ? undefined : `${ended}\n${stderr}`);
    });
  });
}
