/**
 * One kind of client: its program, its transport and its revision.
 *
 * @typedef {object} ClientKind
 * @property {string} name
 * @property {'tenon' | 'official'} side
 * @property {'http' | 'sse'} transport
 * @property {string | undefined} revision undefined to negotiate
 * @property {boolean} sessions true if the server keeps a session for the client
 * @property {'v1' | 'legacy' | 'pin'} [line] of the official SDK
 */

const newest = '2026-07-28';

/** @type {readonly ClientKind[]} */
export const clientKinds = [
  ...['2025-11-25', '2025-06-18', '2025-03-26'].flatMap((revision) => [
    ours('http', revision),
    ours('http', revision),
  ]),
  ours('http', newest),
  ours('http', newest),
  ours('http', undefined),
  ours('sse', '2024-11-05'),
  official('http', '2025-11-25', 'v1'),
  official('http', '2025-11-25', 'legacy'),
  official('http', '2025-03-26', 'legacy'),
  official('http', newest, 'pin'),
  official('sse', '2024-11-05', 'legacy'),
];

/**
 * True for our clients in revisions with tasks.
 *
 * @param {ClientKind} clientKind
 */
export function hasTasks({ side, transport, revision }) {
  return side === 'tenon' && transport === 'http' && [undefined, '2025-11-25', newest].includes(revision);
}

/**
 * Returns the kind of each client of one side: the kinds in turn.
 *
 * @param {'tenon' | 'official'} side
 * @param {number} count of the callers of both sides
 */
export function clientKindsOf(side, count) {
  return Array.from({ length: count }, (_, index) => clientKinds[index % clientKinds.length]).filter(
    (clientKind) => clientKind?.side === side,
  );
}

/**
 * @param {'http' | 'sse'} transport
 * @param {string | undefined} revision
 * @returns {ClientKind}
 */
function ours(transport, revision) {
  const sessions = revision !== undefined && revision !== newest;
  return {
    name: `Tenon, ${transport}, ${revision ?? 'negotiated'}`,
    side: 'tenon',
    transport,
    revision,
    sessions,
  };
}

/**
 * @param {'http' | 'sse'} transport
 * @param {string} revision
 * @param {'v1' | 'legacy' | 'pin'} line
 * @returns {ClientKind}
 */
function official(transport, revision, line) {
  const name = `official ${line === 'v1' ? '1.x' : '2.x'}, ${transport}, ${revision}`;
  return { name, side: 'official', transport, revision, sessions: revision !== newest, line };
}
