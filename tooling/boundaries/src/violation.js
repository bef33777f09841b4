/**
 * @typedef {object} Violation
 * @property {string} path relative to the root
 * @property {number} line from 1
 * @property {string} rule
 * @property {string} message what is wrong, and what to do
 */

/** @typedef {(workspace: import('./workspace.js').Workspace) => Violation[]} Rule */

/**
 * @param {Violation} violation
 * @returns {string}
 */
export function format({ path, line, rule, message }) {
  return `${path}:${line} ${rule}: ${message}`;
}
