import { wires, workloads } from '../matrix/wires.js';

/**
 * What is asked of a server: one kind of request, as a client of one lifecycle writes it.
 *
 * @typedef {object} Question
 * @property {import('../matrix/wires.js').Lifecycle} lifecycle
 * @property {keyof typeof workloads} workload
 */

/** Stands where the id goes; no text that is sent holds it otherwise. */
const placeholder = 987_654_321;

/**
 * Writes requests that differ in their id alone. The text around the id is made once, so that writing costs the driver little.
 *
 * @param {Question} question
 * @returns {(id: number) => string} the JSON text of a request
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
 * A request whose arguments break the schema, where the workload has such.
 *
 * @param {Question} question
 * @param {number} id
 * @returns {object | undefined}
 */
export function refusedRequest({ lifecycle, workload }, id) {
  const { method, name, refused } = workloads[workload];
  return refused && wires[lifecycle].request(id, method, { name, arguments: refused });
}
