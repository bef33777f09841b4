/**
 * An attack of a server on a client.
 *
 * @typedef {object} ClientAttack
 * @property {string} name
 * @property {string} about one line for the list
 * @property {(page: number) => object} result of the request for a page of a list of tools, from 0
 */

/** @type {readonly ClientAttack[]} */
export const clientAttacks = [
  {
    name: 'endless-list',
    about: 'a list of tools without an end for our client, in pages of 15 MB',
    result: (page) => ({
      tools: toolsOf(page, { count: 15, length: 1_000_000 }),
      nextCursor: String(page + 1),
    }),
  },
  {
    name: 'endless-small-list',
    about: 'the same in pages with one tool',
    result: (page) => ({ tools: toolsOf(page, { count: 1, length: 10 }), nextCursor: String(page + 1) }),
  },
];

/**
 * @param {number} page
 * @param {{ count: number, length: number }} size the number of tools, and the characters of their descriptions
 */
function toolsOf(page, { count, length }) {
  const description = 'x'.repeat(length);
  return Array.from({ length: count }, (_, index) => ({
    name: `tool-${page}-${index}`,
    description,
    inputSchema: { type: 'object' },
  }));
}
