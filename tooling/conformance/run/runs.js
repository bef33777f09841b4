/**
 * One run of the suite.
 *
 * @typedef {object} Run
 * @property {'server' | 'client'} side the tested program
 * @property {string} revision `any` leaves it to the suite, which runs extensions only then
 * @property {'all' | 'required'} set every scenario of the revision, or the frozen set a conforming program must pass
 */

const revisions = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];
const anyRevision = 'any';
const revisionsWithRequirements = ['2025-11-25', '2026-07-28'];

/** @type {readonly Run[]} */
export const runs = /** @type {const} */ (['server', 'client']).flatMap((side) => [
  ...[...revisions, anyRevision].map((revision) => ({ side, revision, set: /** @type {const} */ ('all') })),
  ...revisionsWithRequirements.map((revision) => ({
    side,
    revision,
    set: /** @type {const} */ ('required'),
  })),
]);

/** @param {Run} run */
export function nameOf({ side, revision, set }) {
  return `${side} ${revision} ${set}`;
}

/**
 * Returns the arguments of the suite's command line for a run.
 *
 * @param {Run} run
 * @returns {string[]}
 */
export function argumentsOf({ side, revision, set }) {
  if (set === 'required') return [side, '--requirements', revision];
  return [side, '--suite', 'all', ...(revision === anyRevision ? [] : ['--spec-version', revision])];
}
