import { wires, workloads } from '../matrix/wires.js';

/**
 * The requests to a server: one kind, in the form of one lifecycle.
 *
 * @typedef {object} RequestKind
 * @property {import('../matrix/wires.js').Lifecycle} lifecycle
 * @property {keyof typeof workloads} workload
 */

/** Marks the place of the id; no request contains it otherwise. */
const placeholder = 987_654_321;

/**
 * Writes requests that differ only in their id. The text around the id is made once, so that writing costs little.
 *
 * @param {RequestKind} kind
 * @returns {(id: number) => string} returns the JSON text of a request
 */
export function requestText({ lifecycle, workload }) {
  const { method, params } = workloads[workload];
  const request = wires[lifecycle].request(placeholder, method, params(placeholder));
  const pieces = JSON.stringify(request).split(String(placeholder));
  const [before = '', after = '', ...more] = pieces;
  if (more.length === 0) return (id) => before + id + after;
  return (id) => pieces.join(String(id));
}

/**
 * Returns a request with invalid arguments, if the workload has one.
 *
 * @param {RequestKind} kind
 * @param {number} id
 * @returns {object | undefined}
 */
export function refusedRequest({ lifecycle, workload }, id) {
  const { method, name, refused } = workloads[workload];
  return refused && wires[lifecycle].request(id, method, { name, arguments: refused });
}
