import process from 'node:process';
import { withoutControls } from '@tenon/mcp-protocol';

/**
 * Unexpected errors, counted by message.
 *
 * @typedef {Record<string, number>} Complaints
 */

/**
 * Records unhandled rejections and exceptions instead of ending the process; they are reported at the end.
 *
 * @param {(reason: unknown) => boolean} [isExpected] true for rejections that a test causes on purpose
 * @returns {Complaints}
 */
export function unhandled(isExpected = () => false) {
  /** @type {Complaints} */
  const found = {};
  const note = (/** @type {unknown} */ reason) => {
    if (!isExpected(reason)) complain(found, reason, 'unhandled');
  };
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
  return found;
}

/**
 * The errors of one process: rejections that nothing handled, and errors that were reported, without and with a class of Tenon.
 *
 * @typedef {Record<'unhandled' | 'untyped' | 'typed', Complaints>} SortedComplaints
 */

/**
 * @param {(reason: unknown) => boolean} [isExpected]
 * @returns {SortedComplaints}
 */
export function sortedComplaints(isExpected) {
  return { unhandled: unhandled(isExpected), untyped: {}, typed: {} };
}

/**
 * @param {Complaints} complaints
 * @param {unknown} error
 * @param {string} where
 */
export function complain(complaints, error, where) {
  const text =
    error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 3).join(' ') : String(error);
  const key = withoutControls(`${where}: ${text}`.replace(/\s+/g, ' ')).slice(0, 300);
  complaints[key] = (complaints[key] ?? 0) + 1;
}
