import { verdict } from '../storm/findings/verdicts.js';

/** @typedef {import('./cluster-run.js').Findings} Findings */
/** @typedef {import('../nodes/journal.js').Handled} Handled */
/** @typedef {import('../nodes/journal.js').Step} Step */
/** @typedef {import('../nodes/nodes.js').Disturbance} Disturbance */
/** @typedef {import('../storm/findings/verdicts.js').Verdict} Verdict */

/** Milliseconds before the answer to a call in which its result was written. */
const passing = 500;
/** Milliseconds after an outage of the state in which nodes connect again. */
const recovery = 4_000;

/**
 * Returns the verdicts on calls with an idempotency key.
 *
 * @param {Findings} findings
 * @returns {Verdict[]}
 */
export function repeatedCalls({ sides, journals, disturbances }) {
  const { repeated, failures } = sides.tenon;
  const keyed = [...journals.calls].filter(([, { tool }]) => tool === 'charge');
  if (keyed.length === 0) return [];
  const again = keyed.flatMap(([number, handled]) =>
    stepsRunAgain(handled, disturbances).map((problem) => `number ${number}: ${problem}`),
  );
  const attempts = keyed.filter(([, { begun }]) => begun.length > 1).length;
  const late = repeated.flatMap(({ number, answeredAt }) => {
    // The caller receives the result of a call also when the state does not receive it.
    if (isOutage({ from: answeredAt - passing, to: answeredAt }, disturbances)) return [];
    return begunAfter(number, answeredAt, journals);
  });
  const lost = failures.filter(
    (failure) =>
      failure.kind === 'repeat' &&
      (journals.calls.get(failure.number)?.kept.length ?? 0) > 0 &&
      !isOutage(failure, disturbances),
  );
  const lines = lost.map(({ number, problem }) => `number ${number}: ${problem}`);
  return [
    judged(
      `no step of a repeated call runs twice (${attempts} of ${keyed.length} calls attempted again)`,
      again,
    ),
    judged('a repeated call that has a step is answered', lines),
    judged(`a call that has ended is not handled again (${repeated.length})`, late),
  ];
}

/**
 * Returns the verdicts on DPoP proofs that were sent to several nodes.
 *
 * @param {Findings} findings
 * @returns {Verdict[]}
 */
export function replays({ sides, journals }) {
  const { proofs } = sides.tenon;
  if (proofs.length === 0) return [];
  const twice = proofs.filter(
    ({ number, accepted }) => accepted > 1 || (journals.calls.get(number)?.begun.length ?? 0) > 1,
  );
  const refused = proofs.reduce((sum, proof) => sum + proof.refused, 0);
  const lines = twice.map(({ number, accepted }) => {
    const { begun = [] } = journals.calls.get(number) ?? {};
    return `number ${number}: ${accepted} accepted, handled at nodes ${begun}`;
  });
  return [
    judged(`no DPoP proof is accepted twice (${proofs.length} proofs, ${refused} copies refused)`, lines),
  ];
}

/**
 * Returns the attempts of a call that began after its end.
 *
 * @param {number} number
 * @param {number} endedAt milliseconds since 1970
 * @param {Pick<import('../nodes/journal.js').Journals, 'calls'>} journals
 */
export function begunAfter(number, endedAt, { calls }) {
  const after = calls.get(number)?.begunAt.filter((at) => at > endedAt) ?? [];
  return after.map((at) => `number ${number}: handled ${Math.round(at - endedAt)} ms after its end`);
}

/**
 * Returns the steps that ran after their value was kept, and those that ran twice though nothing interrupted the first run.
 *
 * @param {Handled} handled
 * @param {readonly Disturbance[]} disturbances
 * @returns {string[]}
 */
export function stepsRunAgain({ ran, kept }, disturbances) {
  return ran.flatMap((run) => {
    const before = kept.find(({ step, at }) => step === run.step && at < run.at);
    if (before !== undefined)
      return [`step ${run.step} ran at node ${run.node} after node ${before.node} had kept it`];
    const earlier = ran.filter((other) => other.step === run.step && other.at < run.at);
    const unexplained = earlier.find((other) => !isInterrupted(other, run.at, disturbances));
    if (unexplained === undefined) return [];
    const apart = Math.round(run.at - unexplained.at);
    return [`step ${run.step} ran at nodes ${unexplained.node} and ${run.node}, ${apart} ms apart`];
  });
}

/**
 * True if the node of a step that was not kept was disturbed, or the state was away, before the step ran again.
 *
 * @param {Step} step
 * @param {number} again milliseconds since 1970
 * @param {readonly Disturbance[]} disturbances
 */
function isInterrupted({ node, at }, again, disturbances) {
  return disturbances.some(
    (one) => (one.node === undefined || one.node === node) && again >= one.from && at <= one.to + recovery,
  );
}

/**
 * True if the state was away meanwhile.
 *
 * @param {{ from: number, to: number }} time
 * @param {readonly Disturbance[]} disturbances
 */
export function isOutage({ from, to }, disturbances) {
  return disturbances.some((one) => one.node === undefined && to >= one.from && from <= one.to + recovery);
}

/**
 * @param {string} claim
 * @param {readonly string[]} problems
 * @returns {Verdict}
 */
export function judged(claim, problems) {
  const examples = problems.slice(0, 5);
  return { ...verdict(claim, problems.length === 0, String(problems.length)), examples };
}

/**
 * Returns the problems of calls, each with the number of its call.
 *
 * @template {{ number: number }} Call
 * @param {readonly Call[]} calls
 * @param {(call: Call) => string | undefined | readonly string[]} problemsOf
 */
export function numbered(calls, problemsOf) {
  return calls.flatMap((call) =>
    [problemsOf(call) ?? []].flat().map((problem) => `number ${call.number}: ${problem}`),
  );
}
