import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { callsOf } from './suites.js';

/** @typedef {import('./columns.js').Column} Column */
/** @typedef {import('./cells.js').Cell} Cell */
/** @typedef {{ column: Column, cells: Map<string, Cell>, trouble: string | undefined }} Filled */

const program = fileURLToPath(new URL('column-process.js', import.meta.url));
const columnTimeout = 45_000;

/**
 * Fills all columns, two at a time, each in a process of its own. What is under way when the signal aborts is ended, and
 * the rest stays blank.
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
  await Promise.all([work(), work()]);
  return filled;
}

/**
 * @param {Column} column
 * @param {AbortSignal} signal
 * @returns {Promise<Filled>}
 */
function fill(column, signal) {
  /** @type {Map<string, Cell>} */
  const cells = new Map(callsOf(column.server).map(({ name }) => [name, { state: 'blank' }]));
  if (signal.aborted) return Promise.resolve({ column, cells, trouble: 'there was no time left' });
  const child = fork(program, [column.id], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
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
      resolve({ column, cells, trouble: code === 0 ? undefined : `${ended}\n${stderr}` });
    });
  });
}
