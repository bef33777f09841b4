import { appendFileSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** The moments of a call that a node writes down. A step has run, then its value is in the journal of the server. */
export const Moment = /** @type {const} */ ({ begun: 1, done: 2, cancelled: 3, stepRan: 4, stepKept: 5 });

/** The tools with calls that run as tasks. */
export const taskTools = Object.freeze(['work', 'review', 'stubborn']);

/** The tools of a node. */
const tools = ['quick', 'wait', 'steps', 'say', 'touch', 'ask', 'look', 'charge', ...taskTools];

/** Bytes of one record: the moment, the tool, the number of the call, the time, and the step. */
const recordSize = 15;

/**
 * The calls that one node handled. Each record is in the file when `write` returns, so it survives the end of the process.
 */
export class Journal {
  #file;
  #complaints;
  #record = Buffer.alloc(recordSize);

  /**
   * @param {string} folder
   * @param {number} node
   */
  constructor(folder, node) {
    this.#file = openSync(join(folder, `${node}.calls`), 'a');
    this.#complaints = join(folder, `${node}.complaints`);
  }

  /**
   * @param {number} moment
   * @param {string} tool
   * @param {{ number: number, step?: number }} call
   */
  write(moment, tool, { number, step = 0 }) {
    this.#record.writeUInt8(moment, 0);
    this.#record.writeUInt8(tools.indexOf(tool), 1);
    this.#record.writeUInt32LE(number, 2);
    this.#record.writeDoubleLE(Date.now(), 6);
    this.#record.writeUInt8(step, 14);
    writeSync(this.#file, this.#record);
  }

  /**
   * @param {'unhandled' | 'untyped' | 'typed'} sort
   * @param {string} text
   */
  complain(sort, text) {
    appendFileSync(this.#complaints, `${sort} ${text.replaceAll('\n', ' ')}\n`);
  }
}

/**
 * A step of a call at one node.
 *
 * @typedef {{ step: number, node: number, at: number }} Step
 */

/**
 * The moments of one call, with the nodes.
 *
 * @typedef {object} Handled
 * @property {string} tool
 * @property {number[]} begun
 * @property {number[]} done
 * @property {number[]} cancelled
 * @property {number[]} begunAt milliseconds since 1970
 * @property {number[]} doneAt
 * @property {Step[]} ran
 * @property {Step[]} kept
 */

/**
 * The journals of all nodes.
 *
 * @typedef {object} Journals
 * @property {Map<number, Handled>} calls by number
 * @property {Record<'unhandled' | 'untyped' | 'typed', import('../children/complaints.js').Complaints>} complaints
 */

/**
 * @param {string} folder
 * @returns {Journals}
 */
export function readJournals(folder) {
  /** @type {Journals} */
  const journals = { calls: new Map(), complaints: { unhandled: {}, untyped: {}, typed: {} } };
  for (const file of readdirSync(folder)) {
    const [node, sort] = file.split('.');
    if (sort === 'calls') readCalls(readFileSync(join(folder, file)), Number(node), journals);
    else if (sort === 'complaints') readComplaints(readFileSync(join(folder, file), 'utf8'), journals);
  }
  return journals;
}

/**
 * @param {Buffer} records
 * @param {number} node
 * @param {Journals} journals
 */
function readCalls(records, node, { calls }) {
  for (let at = 0; at + recordSize <= records.length; at += recordSize) {
    const number = records.readUInt32LE(at + 2);
    const tool = tools[records.readUInt8(at + 1)] ?? 'unknown';
    const handled = calls.get(number) ?? handledBy(tool);
    calls.set(number, handled);
    const moment = records.readUInt8(at);
    const time = records.readDoubleLE(at + 6);
    const step = { step: records.readUInt8(at + 14), node, at: time };
    if (moment === Moment.begun) {
      handled.begun.push(node);
      handled.begunAt.push(time);
    } else if (moment === Moment.done) {
      handled.done.push(node);
      handled.doneAt.push(time);
    } else if (moment === Moment.cancelled) handled.cancelled.push(node);
    else if (moment === Moment.stepRan) handled.ran.push(step);
    else handled.kept.push(step);
  }
}

/**
 * Returns a call without moments.
 *
 * @param {string} tool
 * @returns {Handled}
 */
export function handledBy(tool) {
  return { tool, begun: [], done: [], cancelled: [], begunAt: [], doneAt: [], ran: [], kept: [] };
}

/**
 * @param {string} text
 * @param {Journals} journals
 */
function readComplaints(text, { complaints }) {
  for (const line of text.split('\n').slice(0, -1)) {
    const [sort = '', ...rest] = line.split(' ');
    const found = complaints[/** @type {'unhandled' | 'untyped' | 'typed'} */ (sort)];
    const key = rest.join(' ');
    found[key] = (found[key] ?? 0) + 1;
  }
}
