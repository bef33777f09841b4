import process from 'node:process';
import { withoutControls } from '@tenon/mcp-protocol';

/**
 * Errors that should not be, counted by what they say.
 *
 * @typedef {Record<string, number>} Complaints
 */

/**
 * Notes rejections and exceptions nobody handles, and goes on: they are told at the end.
 *
 * @param {(reason: unknown) => boolean} [isExpected] rejections an engine causes on purpose
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
 * @param {Complaints} complaints
 * @param {unknown} error
 * @param {string} where
 */
export function complain(complaints, error, where) {
  const told =
    error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 3).join(' ') : String(error);
  const key = withoutControls(`${where}: ${told}`.replace(/\s+/g, ' ')).slice(0, 300);
  complaints[key] = (complaints[key] ?? 0) + 1;
}
