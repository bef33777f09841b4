/**
 * What is measured. A cell is one measurement; its floor is the cell it is divided by, round by round.
 *
 * @typedef {object} Row
 * @property {string} label
 * @property {string} name of the server or caller
 * @property {Lifecycle} lifecycle
 * @property {string} floor
 * @property {number} [target] the most times the floor it may cost
 *
 * @typedef {'handshake' | 'stateless'} Lifecycle
 *
 * @typedef {object} Section
 * @property {string} title
 * @property {string} unit what 1 means
 * @property {'server' | 'caller'} kind
 * @property {readonly number[]} depths calls in flight
 * @property {readonly Row[]} rows
 */

/** @type {readonly Lifecycle[]} */
const both = ['handshake', 'stateless'];

/**
 * @param {string} floor
 * @param {[label: string, name: string, target?: number][]} list
 * @returns {Row[]}
 */
function inBoth(floor, list) {
  return list.flatMap(([label, name, target]) =>
    both.map((lifecycle) => ({ label, name, lifecycle, floor, ...(target !== undefined && { target }) })),
  );
}

/** @type {readonly Section[]} */
export const sections = [
  {
    title: 'In memory',
    unit: 'a bare JSON round trip of the same call',
    kind: 'caller',
    depths: [1],
    rows: inBoth('memory-floor', [
      ['bare JSON round trip', 'memory-floor'],
      ['Tenon server, JSON Schema', 'memory-tenon-json', 1.5],
      ['Tenon server, zod', 'memory-tenon-zod', 1.5],
      ['official 2.x server, zod', 'memory-official'],
      ['Tenon client and server', 'memory-tenon-client'],
      ['official 2.x client and server', 'memory-official-client'],
    ]),
  },
  {
    title: 'Server over stdio',
    unit: 'a bare newline-JSON loop that coalesces its writes',
    kind: 'server',
    depths: [1, 16, 64],
    rows: inBoth('floor', [
      ['bare loop', 'floor'],
      ['bare loop, one write per answer', 'floor-plain'],
      ['Tenon, JSON Schema', 'tenon-json', 1.5],
      ['Tenon, zod', 'tenon-zod', 1.5],
      ['official 2.x, zod', 'official'],
    ]),
  },
  {
    title: 'Client over stdio',
    unit: 'a raw loop that coalesces its writes',
    kind: 'caller',
    depths: [64],
    rows: inBoth('stdio-raw', [
      ['raw loop', 'stdio-raw'],
      ['raw loop, one write per call', 'stdio-raw-plain'],
      ['Tenon', 'stdio-tenon-client', 2],
      ['official 2.x', 'stdio-official-client'],
    ]),
  },
];
