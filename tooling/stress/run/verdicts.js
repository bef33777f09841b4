import { rate } from '../nodes/cluster-server.js';
import { taskTools } from '../nodes/journal.js';
import { complaintVerdict, faultVerdict, mebibytes, verdict } from '../storm/findings/verdicts.js';
import { explanationOf } from './explanation.js';
import { repeatedCalls, replays } from './once-verdicts.js';
import { endedTasks } from './task-verdicts.js';

/** @typedef {import('./cluster-run.js').Findings} Findings */
/** @typedef {import('../storm/findings/verdicts.js').Verdict} Verdict */

/** The accepted growth of a heap: a share, and bytes for a short run. */
const heapBound = { share: 0.1, bytes: 3 * 2 ** 20 };
/** The accepted share of calls above the rate: nodes count together within the time of one round trip. */
const rateBound = 1.2;

/**
 * Returns the verdicts on a run.
 *
 * @param {Findings} findings
 * @returns {Verdict[]}
 */
export function verdictsOf(findings) {
  const faults = faultsOf(findings);
  const noFaults = (
    /** @type {string} */ claim,
    /** @type {import('../storm/findings/ledger.js').Fault[]} */ ...names
  ) => faultVerdict(claim, faults, names);
  return [
    noFaults('every request ends with its answer or a typed error', 'wrong answer', 'untyped error'),
    ...failureVerdicts(findings),
    noFaults('no answer arrives twice', 'answered twice on the wire', 'event twice on the wire'),
    handledOnce(findings),
    ...repeatedCalls(findings),
    ...replays(findings),
    ...endedTasks(findings),
    noFaults('every task ends, and once', 'task without an end', 'task ended twice'),
    noFaults(
      'no caller receives a message of another caller',
      'input request of another call',
      'answer of another user',
      'log of another call',
      'update of another caller',
      'taken for another caller',
    ),
    cancellations(findings),
    noFaults('sessions survive the nodes', 'session lost'),
    noFaults('every caller calls and receives updates after the storm', 'not alive after the storm'),
    ...rates(findings),
    rollingRestart(findings),
    disturbed(findings),
    heap(findings),
    verdict('drained nodes end by themselves', findings.stuck.length === 0, findings.stuck.join(', ')),
    complaintVerdict('no rejection goes unhandled in a node', findings.journals.complaints.unhandled),
    complaintVerdict('no error without a family is reported in a node', findings.journals.complaints.untyped),
    complaintVerdict('no rejection goes unhandled in our callers', findings.sides.tenon.found.unhandled),
    complaintVerdict(
      'no error without a family is reported in our callers',
      findings.sides.tenon.found.untyped,
    ),
  ];
}

/** @param {Findings} findings */
function faultsOf({ sides }) {
  /** @type {Record<string, { count: number, examples: string[] }>} */
  const faults = {};
  for (const [name, { count, examples }] of Object.values(sides).flatMap((side) =>
    Object.entries(side.faults),
  )) {
    const { count: before = 0, examples: earlier = [] } = faults[name] ?? {};
    faults[name] = { count: before + count, examples: [...earlier, ...examples] };
  }
  return faults;
}

/**
 * Calls that failed must have an explanation: a node that ended, or the state.
 *
 * @param {Findings} findings
 * @returns {Verdict[]}
 */
export function failureVerdicts(findings) {
  return /** @type {const} */ (['tenon', 'official']).map((side) => {
    const name = side === 'tenon' ? 'our clients' : 'the official clients';
    const { failures } = findings.sides[side];
    const left = failures.filter(
      (failure) =>
        explanationOf(failure, findings.journals.calls.get(failure.number), findings.disturbances) ===
        undefined,
    );
    return {
      ...verdict(
        `disturbances explain every failed call of ${name}`,
        left.length === 0,
        `not ${left.length} of ${failures.length}`,
      ),
      examples: examplesOf(left, findings),
    };
  });
}

/**
 * Returns up to two examples of each kind of call and client.
 *
 * @param {readonly import('../callers/cluster-ledger.js').Failure[]} failures
 * @param {Findings} findings
 */
function examplesOf(failures, { began, journals }) {
  /** @type {Map<string, import('../callers/cluster-ledger.js').Failure[]>} */
  const groups = new Map();
  for (const failure of failures) {
    const group = `${failure.kind} (${failure.clientKind})`;
    groups.set(group, [...(groups.get(group) ?? []), failure]);
  }
  return [...groups].flatMap(([group, members]) =>
    members.slice(0, 2).map(({ number, problem, from, to }, index) => {
      const seconds = [from, to].map((time) => ((time - began) / 1_000).toFixed(1)).join(' to ');
      const nodes = journals.calls.get(number)?.begun.join() ?? 'none';
      const text = `number ${number}, ${seconds} s, at nodes ${nodes}: ${problem.slice(0, 200)}`;
      return index === 0 ? `${members.length} x ${group}: ${text}` : `    ${text}`;
    }),
  );
}

/** The tools with steps that run once. */
const withSteps = ['charge', ...taskTools];

/**
 * No tool of the cluster may run twice, except those with steps that run once.
 *
 * @param {Findings} findings
 */
export function handledOnce({ journals, began }) {
  const twice = [...journals.calls].filter(
    ([, { tool, done }]) => !withSteps.includes(tool) && done.length > 1,
  );
  return {
    ...verdict('no call is handled twice', twice.length === 0, String(twice.length)),
    examples: twice.slice(0, 5).map(([number, { tool, begun, done, doneAt }]) => {
      const seconds = doneAt.map((time) => ((time - began) / 1_000).toFixed(1)).join(' s and ');
      return `number ${number}, ${tool}: begun at nodes ${begun}, done at ${done} after ${seconds} s`;
    }),
  };
}

/**
 * A cancelled call must be aborted at its node, whichever node receives the cancellation.
 *
 * @param {Findings} findings
 */
export function cancellations({ sides, journals, disturbances }) {
  const all = [...sides.tenon.cancelled, ...sides.official.cancelled];
  const missed = all.filter((number) => {
    const handled = journals.calls.get(number);
    return handled !== undefined && handled.done.length > 0 && !duringOutage(handled, disturbances);
  });
  const holds = missed.length === 0;
  const claim = `cancellations reach their calls (${all.length})`;
  return {
    ...verdict(claim, holds, `${missed.length} do not`),
    examples: missed.slice(0, 5).map((number) => `number ${number}`),
  };
}

/**
 * True if the node of a call ended, so that nothing can be said about the call.
 *
 * @param {import('../nodes/journal.js').Handled} handled
 * @param {readonly import('../nodes/nodes.js').Disturbance[]} disturbances
 */
function duringOutage({ begun }, disturbances) {
  return disturbances.some(({ node }) => node !== undefined && begun.includes(node));
}

/**
 * @param {Findings} findings
 * @returns {Verdict[]}
 */
export function rates({ sides, disturbances }) {
  const outages = disturbances.filter(({ node }) => node === undefined);
  const judged = sides.tenon.floods.filter(
    ({ from, to }) => !outages.some((outage) => outage.to + 4_000 >= from && outage.from <= to),
  );
  if (judged.length === 0) return [];
  const over = judged.filter(({ from, to, accepted }) => accepted > allowed(to - from) * rateBound);
  const figures = judged.map(
    ({ from, to, accepted, refused }) => `${accepted} of ${accepted + refused} for ${allowed(to - from)}`,
  );
  const above = judged.filter(
    ({ from, to, accepted, refused }) => accepted + refused > allowed(to - from) * rateBound,
  );
  const claim = `the rate of a caller holds for all nodes together (${above.length} of ${judged.length} floods above it)`;
  return [verdict(claim, over.length === 0, figures.join(', '))];
}

/** @param {number} ms */
function allowed(ms) {
  return Math.round(rate.burst + (rate.perSecond * ms) / 1_000);
}

/**
 * A rolling restart loses nothing. The official client over HTTP+SSE opens its stream again after the end of a node, but no session.
 *
 * @param {Findings} findings
 */
export function rollingRestart({ sides, rolling, began }) {
  const lost = [...sides.tenon.failures, ...sides.official.failures].filter(
    ({ clientKind, from, to }) =>
      to >= rolling.from && from <= rolling.to && !/^official.*, sse,/.test(clientKind),
  );
  const claim = `a rolling restart of ${rolling.nodes} nodes loses no call, though the proxy is not warned`;
  const examples = lost.slice(0, 8).map(({ number, kind, clientKind, problem, from, to }) => {
    const seconds = [from, to].map((time) => ((time - began) / 1_000).toFixed(1)).join(' to ');
    return `${kind} (${clientKind}): number ${number}, ${seconds} s: ${problem.slice(0, 200)}`;
  });
  return { ...verdict(claim, lost.length === 0, String(lost.length)), examples };
}

/**
 * A run without disturbances proves nothing.
 *
 * @param {Findings} findings
 */
function disturbed({ disturbances, proxy }) {
  const kinds = new Set(disturbances.map(({ kind }) => kind));
  const missing = ['kill', 'drain', 'drain without a warning', 'state stopped', 'state restarted'].filter(
    (kind) => !kinds.has(/** @type {any} */ (kind)),
  );
  const found = [...missing, ...(proxy.resumptions === 0 ? ['resumption'] : [])];
  return verdict(
    'nodes were killed and drained, the state was stopped and restarted, streams were resumed',
    found.length === 0,
    `no ${found.join(', no ')}`,
  );
}

/** @param {Findings} findings */
function heap({ heap: { before, after } }) {
  const most = before * (1 + heapBound.share) + heapBound.bytes;
  return {
    claim: 'the heap of the node that lives through stays flat',
    holds: after <= most,
    found: `${mebibytes(before)} after the warm-up, ${mebibytes(after)} after the storm`,
  };
}
