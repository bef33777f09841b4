import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { programOf } from './programs.js';
import { serve } from './serving.js';
import { callsOf } from './suites.js';

/** @typedef {import('./columns.js').Column} Column */
/** @typedef {import('./cells.js').Cell} Cell */
/** @typedef {{ column: Column, cells: Map<string, Cell>, trouble: string | undefined }} Filled */

const program = fileURLToPath(new URL('column-process.js', import.meta.url));
const columnTimeout = 45_000;
/** Columns at a time; each is two processes that mostly wait. */
const workers = 5;

/**
 * Fills all columns, a few at a time, each in a process of its own. What is under way when the signal aborts is ended,
 * and the rest stays blank.
 *
 * @param {readonly Column[]} columns
 * @param {{ signal: AbortSignal, onFilled: (column: Column) => void }} options
 * @returns {Promise<Filled[]>}
 */
export async function fillAll(columns, { signal, onFilled }) {
  /** @type {Filled[]} */
  const filled = [];
  const left = columns.entries();
  const work = async () => {
    for (const [place, column] of left) {
      filled[place] = await fill(column, signal);
      onFilled(column);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return filled;
}

/**
 * @param {Column} column
 * @param {AbortSignal} signal
 * @returns {Promise<Filled>}
 */
async function fill(column, signal) {
  /** @type {Map<string, Cell>} */
  const cells = new Map(callsOf(column).map(({ name }) => [name, { state: 'blank' }]));
  if (signal.aborted) return { column, cells, trouble: 'there was no time left' };
  // A client starts its server itself over stdio, and is told where it is otherwise.
  if (column.transport === 'stdio') return { column, cells, trouble: await drive({ column, cells, signal }) };
  try {
    const serving = await serve(programOf(column));
    const { url, sse = '' } = serving.addresses;
    const trouble = await drive({ column, cells, signal, url: column.transport === 'sse' ? sse : url });
    await serving.end();
    return { column, cells, trouble: trouble && `${trouble}\n${serving.stderr()}` };
  } catch (error) {
    return { column, cells, trouble: String(error) };
  }
}

/**
 * Runs a client in a process of its own, which tells of each cell.
 *
 * @param {{ column: Column, cells: Map<string, Cell>, signal: AbortSignal, url?: string }} driving
 * @returns {Promise<string | undefined>} what went wrong besides cells
 */
function drive({ column, cells, signal, url }) {
  const args = url === undefined ? [column.id] : [column.id, url];
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
