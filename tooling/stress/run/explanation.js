/** @typedef {import('../callers/cluster-ledger.js').Failure} Failure */
/** @typedef {import('../nodes/nodes.js').Disturbance} Disturbance */
/** @typedef {import('../nodes/journal.js').Handled} Handled */

/** Milliseconds after an outage of the state in which nodes connect again. */
const recovery = 4_000;
/** Milliseconds around the end of a node in which a request to it may have been on its way. */
const passing = 500;

/**
 * Returns the disturbance that explains the failure of a call: the state was away, or a node that had the call ended. A call
 * that no node began may have been on its way to any node that ended. Undefined if nothing explains it.
 *
 * @param {Failure} failure
 * @param {Handled | undefined} handled
 * @param {readonly Disturbance[]} disturbances
 * @returns {Disturbance['kind'] | undefined}
 */
export function explanationOf(failure, handled, disturbances) {
  const during = disturbances.filter(
    ({ kind, from, to }) =>
      failure.to >= from - passing && failure.from <= to + (kind.startsWith('state') ? recovery : passing),
  );
  const outage = during.find(({ node }) => node === undefined);
  if (outage !== undefined) return outage.kind;
  const began = isOfAnyNode(failure) ? [] : (handled?.begun ?? []);
  return during.find(({ node }) => began.length === 0 || began.includes(Number(node)))?.kind;
}

/**
 * True for calls that need more nodes than the one that handles them: the answer of a user and the requests for a task reach any node, a message
 * over HTTP+SSE is forwarded to the node with the stream, and the stream of an official client may end with any node,
 * after which the client gives it up: it tries twice to resume one.
 *
 * @param {Failure} failure
 */
function isOfAnyNode({ kind, clientKind, gaveUp }) {
  return (
    gaveUp === true ||
    kind === 'ask' ||
    kind.startsWith('task') ||
    clientKind.includes(', sse,') ||
    (kind === 'update' && clientKind.startsWith('official'))
  );
}
