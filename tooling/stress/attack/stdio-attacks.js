import { badRecords, batching, handshake, request, toolCall } from '../wire/messages.js';

/**
 * One resource attack over stdin and stdout.
 *
 * @typedef {object} StdioAttack
 * @property {string} name
 * @property {string} about one line for the list
 * @property {string} revision
 * @property {() => Iterable<string>} lines
 * @property {boolean} [unread] true if the attacker reads nothing until it has written everything
 */

/** @param {(index: number) => object} make @param {number} count */
const list = (make, count) => Array.from({ length: count }, (_, index) => make(index));

/** @param {number} count @param {(index: number) => string} make */
function* lines(count, make) {
  for (let index = 0; index < count; index++) yield make(index);
}

/** @type {readonly StdioAttack[]} */
export const stdioAttacks = [
  {
    name: 'stdio-batch-of-calls',
    about: 'batches of 100 calls with answers of 4 MiB, at once and later',
    revision: batching,
    lines: () =>
      lines(2, (n) =>
        JSON.stringify(list((id) => toolCall(id + 100 * n, n === 0 ? 'large' : 'large-later'), 100)),
      ),
  },
  {
    name: 'stdio-unread',
    about: '150 calls with answers of 4 MiB, unread for a while',
    revision: handshake,
    unread: true,
    lines: () => lines(150, (id) => JSON.stringify(toolCall(id, 'large'))),
  },
  {
    name: 'stdio-records',
    about: 'a line of 4 MB with 90,000 wrong records for a schema library',
    revision: handshake,
    lines: () => lines(4, (id) => JSON.stringify(toolCall(id, 'records', { records: badRecords(90_000) }))),
  },
  {
    name: 'stdio-nesting',
    about: 'lines nested as deep, and as long, as they come',
    revision: handshake,
    lines: () => lines(8, (n) => (n % 2 === 0 ? '['.repeat(4_000_000) : `"${'x'.repeat(20_000_000)}"`)),
  },
  {
    name: 'stdio-flood',
    about: '100,000 lines of garbage, notifications and calls that wait',
    revision: handshake,
    lines: () =>
      lines(100_000, (n) => {
        if (n % 3 === 0) return '?';
        return JSON.stringify(n % 3 === 1 ? request(n, 'ping') : toolCall(n, 'wait'));
      }),
  },
];
