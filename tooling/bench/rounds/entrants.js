import { contenders } from '../matrix/contenders.js';

/**
 * One contender on one Node that takes part in a row.
 *
 * @typedef {object} Entrant
 * @property {import('../matrix/contenders.js').ContenderName} contender
 * @property {import('../processes/nodes.js').NodeVersion} node
 * @property {readonly number[]} depths it is measured at
 */

/** What the newest Node is judged by: Tenon on it, and the floor on the same. */
const onEveryNode = ['floor', 'tenon'];

/**
 * Who takes part in a row: on this Node everybody who can, on another the floor and Tenon.
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
 * Whether a contender is the floor or Tenon, whose figures decide.
 *
 * @param {Entrant['contender']} name
 */
export function isJudged(name) {
  return name === 'floor' || isTenon(name);
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
