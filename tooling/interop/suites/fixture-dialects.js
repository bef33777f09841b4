/** @typedef {import('../run/columns.js').Column} Column */

/** @param {string} text */
export const block = (text) => ({ type: 'text', text });
/** @param {string} message */
export const text = (message) => ({ content: [block(message)] });
/** @param {string} message */
export const failed = (message) => ({ ...text(message), isError: true });
/** @param {unknown} content */
export const user = (content) => ({ role: 'user', content });

/**
 * True for a server on an official SDK, which has every feature of the fixture.
 *
 * @param {Column} column
 */
export function isOfficial({ server }) {
  return server.startsWith('fixture-v');
}

/**
 * Returns a function that selects the value for the column's framework.
 *
 * @param {{ official: any, v2?: any, tmcp: any, lite: any, fast: any }} values `official` of both generations, or of the first with `v2`
 * @returns {(column: Column) => any}
 */
export function by({ official, v2 = official, tmcp, lite, fast }) {
  return ({ server }) => {
    if (server.startsWith('fixture-v1')) return official;
    if (server.startsWith('fixture-v2')) return v2;
    if (server === 'fixture-tmcp') return tmcp;
    return server === 'fixture-mcp-lite' ? lite : fast;
  };
}

/**
 * Returns the refusal of a call. The texts of other frameworks differ, so that only the code or the form counts for them.
 *
 * @param {Column} column
 * @param {{ code?: number, value?: any }} refused
 */
export function refusalOf(column, refused) {
  const { code, value } = refused;
  return isOfficial(column) ? refused : (code ?? { isError: value.isError });
}

/** The features that frameworks lack or implement wrongly, in handshake revisions and in the stateless one. */
const lacking = new Map([
  ['fixture-mcp-lite cancellation', 'mcp-lite 0.10 has no cancellation'],
  ['fixture-mcp-lite completion', 'mcp-lite 0.10 has no completion'],
  ['fixture-mcp-lite instructions', 'mcp-lite 0.10 has no instructions'],
  ['fixture-mcp-lite list changes', 'mcp-lite 0.10 does not declare that its lists change'],
  ['fixture-mcp-lite logging', 'mcp-lite 0.10 has no logging'],
  ['fixture-mcp-lite roots', 'mcp-lite 0.10 does not ask for roots'],
  ['fixture-mcp-lite subscriptions', 'mcp-lite 0.10 has no subscriptions'],
  ['fixture-fastmcp list changes', 'FastMCP 4 does not declare that its list of tools changes'],
  [
    'fixture-fastmcp roots',
    'FastMCP 4 asks for roots while a session opens, before the client has opened it',
  ],
]);
const lackingWithHandshake = new Map([
  ['fixture-tmcp cancellation', 'tmcp 1.20 does not abort a handler for notifications/cancelled'],
]);
const lackingWithout = new Map([
  ['fixture-tmcp roots', 'tmcp 1.20 does not ask for roots in the stateless revision'],
]);

/**
 * Returns a reason for columns with a server that lacks a feature.
 *
 * @param {string} what
 * @returns {(column: Column) => string | undefined}
 */
export function unlessOffered(what) {
  return ({ server, speaks }) => {
    const key = `${server} ${what}`;
    const own = speaks < '2026-07-28' ? lackingWithHandshake : lackingWithout;
    return lacking.get(key) ?? own.get(key);
  };
}
