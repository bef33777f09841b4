/**
 * One group of bars: a row of the bench.
 *
 * @typedef {object} Panel
 * @property {string} title
 * @property {{ label: string, ratio: number, kind: 'tenon' | 'tenon-other' | 'peer' }[]} bars
 *
 * @typedef {import('./results.js').Result} Result
 */

/**
 * Returns the groups of the chart: the results on this Node at the greatest depth of each row.
 *
 * @param {readonly Result[]} results
 * @returns {Panel[]}
 */
export function panelsOf(results) {
  const shown = results.filter(({ ownNode, contender, cpu }) => ownNode && contender !== 'floor' && cpu);
  return [...new Set(shown.map(({ row }) => row))].map((id) => {
    const own = shown.filter(({ row }) => row === id);
    const depth = Math.max(...own.map((result) => result.depth));
    const deepest = own.filter((result) => result.depth === depth);
    return { title: `${own[0]?.title}${inFlight(depth)}`, bars: deepest.map(barOf) };
  });
}

/** @param {number} depth */
function inFlight(depth) {
  return depth === 1 ? '' : `, ${depth} in flight`;
}

/**
 * @param {Result} result
 * @returns {Panel['bars'][number]}
 */
function barOf({ label, contender, cpu }) {
  const other = contender === 'tenon-json' ? 'tenon-other' : 'peer';
  return { label, ratio: cpu?.median ?? Number.NaN, kind: contender === 'tenon' ? 'tenon' : other };
}

/**
 * Splits panels into two columns of about the same height, in order.
 *
 * @param {readonly Panel[]} panels
 * @param {(panel: Panel) => number} height
 * @returns {[left: Panel[], right: Panel[]]}
 */
export function twoColumns(panels, height) {
  const total = panels.reduce((sum, panel) => sum + height(panel), 0);
  let before = 0;
  const firstRight = panels.findIndex((panel) => {
    const middle = before + height(panel) / 2;
    before += height(panel);
    return middle > total / 2;
  });
  const cut = firstRight === -1 ? panels.length : firstRight;
  return [panels.slice(0, cut), panels.slice(cut)];
}
