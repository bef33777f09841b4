import { contenders } from '../matrix/contenders.js';

/**
 * One contender on one Node that takes part in a row.
 *
 * @typedef {object} Entrant
 * @property {import('../matrix/contenders.js').ContenderName} contender
 * @property {import('../processes/nodes.js').NodeVersion} node
 * @property {readonly number[]} depths at which it is measured
 */

/** The contenders on the newest Node: Tenon, and the floor to compare it with. */
const onEveryNode = ['floor', 'tenon'];

/**
 * Returns the contenders of a row: all that support it on this Node, and the floor and Tenon on another Node.
 *
 * @param {import('../matrix/rows.js').Row} row
 * @param {Pick<import('./plan.js').Plan, 'everyDepth' | 'nodes'>} plan
 * @returns {Entrant[]}
 */
export function entrantsOf(row, { everyDepth, nodes }) {
  const names = /** @type {Entrant['contender'][]} */ (Object.keys(contenders)).filter((name) =>
    takes(name, row),
  );
  return nodes.flatMap((node) =>
    names
      .filter((name) => node.own || onEveryNode.includes(name))
      .map((contender) => {
        const every = everyDepth || (node.own && isJudged(contender));
        return { contender, node, depths: every ? row.depths : row.depths.slice(-1) };
      }),
  );
}

/**
 * True for the floor, Tenon and its host: the verdict depends on their figures.
 *
 * @param {Entrant['contender']} name
 */
export function isJudged(name) {
  return name === 'floor' || name === 'tenon-host' || isTenon(name);
}

/** @param {Entrant['contender']} name */
export function isTenon(name) {
  return name === 'tenon' || name === 'tenon-json';
}

/**
 * @param {Entrant['contender']} name
 * @param {import('../matrix/rows.js').Row} row
 */
function takes(name, row) {
  const { takes, workloads } = contenders[name];
  const isKnown = takes[partOf(row)]?.includes(row.lifecycle) ?? false;
  return isKnown && (workloads?.includes(row.workload) ?? true);
}

/**
 * @param {import('../matrix/rows.js').Row} row
 * @returns {import('../matrix/contenders.js').Part}
 */
function partOf({ kind, over }) {
  if (kind !== 'caller') return kind;
  return over === 'http' || over === 'stdio' ? `${over}-client` : 'memory';
}
