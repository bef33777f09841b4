import { taskTools } from '../nodes/journal.js';
import { begunAfter, judged, stepsRunAgain } from './once-verdicts.js';

/** @typedef {import('@tenon/tool-chaos/storm/verdicts.js').Verdict} Verdict */

/**
 * Returns the verdicts on tasks by the journals of the nodes.
 *
 * @param {import('./cluster-run.js').Findings} findings
 * @returns {Verdict[]}
 */
export function endedTasks({ sides, journals, disturbances }) {
  const all = [...journals.calls].filter(([, { tool }]) => taskTools.includes(tool));
  if (all.length === 0) return [];
  const again = all.flatMap(([number, handled]) =>
    stepsRunAgain(handled, disturbances).map((problem) => `number ${number}: ${problem}`),
  );
  const { tasks } = sides.tenon;
  const continued = all.filter(([, { begun }]) => new Set(begun).size > 1).length;
  const late = tasks.flatMap(({ number, endedAt }) => begunAfter(number, endedAt, journals));
  return [
    judged(`no step of a task runs twice (${continued} of ${all.length} tasks were continued)`, again),
    judged(`a task that has ended is not handled again (${tasks.length})`, late),
  ];
}
