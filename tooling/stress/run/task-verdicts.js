import { noEnd } from '../callers/scenarios.js';
import { taskTools } from '../nodes/journal.js';
import { begunAfter, isOutage, judged, stepsRunAgain } from './once-verdicts.js';

/** @typedef {import('../storm/findings/verdicts.js').Verdict} Verdict */

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
  const { tasks, failures } = sides.tenon;
  // A call that waits for several nodes in a row, which are all killed, may have no end yet: its task must have one later.
  const lost = failures.filter(
    (one) => one.becameTask === true && one.problem !== noEnd && !isOutage(one, disturbances),
  );
  const lines = lost.map(
    ({ number, kind, clientKind, problem }) => `${kind} (${clientKind}): number ${number}: ${problem}`,
  );
  const continued = all.filter(([, { begun }]) => new Set(begun).size > 1).length;
  const late = tasks.flatMap(({ number, endedAt }) => begunAfter(number, endedAt, journals));
  return [
    judged(`no step of a task runs twice (${continued} of ${all.length} tasks were continued)`, again),
    judged('a call that has become a task survives the nodes', lines),
    judged(`a task that has ended is not handled again (${tasks.length})`, late),
  ];
}
