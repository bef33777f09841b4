import { Handling, Outcome } from './ledger.js';

/** @typedef {import('./storm.js').Findings} Findings */

/**
 * One condition that must hold.
 *
 * @typedef {object} Verdict
 * @property {string} claim
 * @property {boolean} holds
 * @property {string} [found] figures, or the reasons for a failure
 * @property {readonly string[]} [examples]
 */

/** The accepted growth of a heap, as a share. */
export const heapBound = 0.05;

/**
 * Returns the verdicts on a storm.
 *
 * @param {Findings} findings
 * @returns {Verdict[]}
 */
export function verdictsOf(findings) {
  const { ledger, unnotified } = findings;
  const noFaults = (/** @type {string} */ claim, /** @type {import('./ledger.js').Fault[]} */ ...names) =>
    faultVerdict(claim, ledger.faults, names);
  return [
    noFaults(
      'every call ends with its right answer or a typed error',
      'wrong answer',
      'untyped error',
      'no end',
    ),
    noFaults('broken connections explain every error', 'unexplained error', 'wrong revision'),
    ...handledVerdicts(findings),
    noFaults('nothing is delivered twice', 'answered twice on the wire', 'event twice on the wire'),
    noFaults('streams lose nothing', 'hole in progress', 'hole in logs', 'hole in ticks'),
    noFaults(
      'no caller gets data of another caller',
      'input request of another call',
      'answer of another user',
    ),
    noFaults(
      'every caller is connected again after the storm',
      'not alive after the storm',
      'closing failed',
    ),
    {
      ...verdict(
        'every watch receives a change after the storm',
        unnotified.length === 0,
        `${unnotified.length} do not`,
      ),
      examples: unnotified.slice(0, 5),
    },
    resumed(findings),
    ...complaintVerdicts(findings),
    ...heapVerdicts(findings),
    ...tidyVerdicts(findings),
  ];
}

/**
 * @param {string} claim
 * @param {boolean} holds
 * @param {string} [found]
 * @returns {Verdict}
 */
export function verdict(claim, holds, found) {
  return { claim, holds, ...(found !== undefined && !holds && { found }) };
}

/**
 * @param {string} claim
 * @param {Readonly<Record<string, { count: number, examples: string[] }>>} faults
 * @param {readonly string[]} names
 * @returns {Verdict}
 */
export function faultVerdict(claim, faults, names) {
  const found = names.filter((name) => faults[name] !== undefined);
  return {
    claim,
    holds: found.length === 0,
    ...(found.length > 0 && { found: found.map((name) => `${name}: ${faults[name]?.count}`).join(', ') }),
    examples: found.flatMap((name) => faults[name]?.examples ?? []),
  };
}

/**
 * Compares the outcomes of callers with how often the server handled each call.
 *
 * @param {Pick<Findings, 'handled'> & { ledger: Pick<Findings['ledger'], 'first' | 'last' | 'outcomes' | 'handling'> }} findings
 * @returns {Verdict[]}
 */
export function handledVerdicts({ ledger, handled }) {
  const twice = [];
  const never = [];
  for (let number = ledger.first + 1; number <= ledger.last; number++) {
    if (ledger.handling[number] === Handling.uncounted) continue;
    const count = handled[number] ?? 0;
    const most = ledger.handling[number] === Handling.repeatable ? 2 : 1;
    if (count > most) twice.push(`number ${number}: ${count} times`);
    if (count === 0 && ledger.outcomes[number] === Outcome.right) never.push(`number ${number}`);
  }
  return [
    {
      ...verdict('no call is handled twice', twice.length === 0, `${twice.length} are`),
      examples: twice.slice(0, 5),
    },
    {
      ...verdict(
        'the server handled every call with a right answer',
        never.length === 0,
        `${never.length} are not`,
      ),
      examples: never.slice(0, 5),
    },
  ];
}

/**
 * A storm without resumed streams proves nothing about resumption.
 *
 * @param {Findings} findings
 */
function resumed({ proxy, server }) {
  return verdict(
    'streams were resumed, and events sent again',
    proxy.resumptions > 0 && server.replayed > 0,
    'none',
  );
}

/**
 * @param {Findings} findings
 * @returns {Verdict[]}
 */
function complaintVerdicts({ server, callersFound }) {
  const sides = /** @type {const} */ ([
    ['server', server.found],
    ['callers', callersFound],
  ]);
  return sides.flatMap(([side, found]) => [
    complaintVerdict(`no rejection goes unhandled in the ${side} process`, found.unhandled),
    complaintVerdict(`no error without a family is reported in the ${side} process`, found.untyped),
  ]);
}

/**
 * @param {string} claim
 * @param {import('../children/complaints.js').Complaints} complaints
 * @returns {Verdict}
 */
export function complaintVerdict(claim, complaints) {
  const kinds = Object.entries(complaints).sort(([, a], [, b]) => b - a);
  const count = kinds.reduce((sum, [, times]) => sum + times, 0);
  const examples = kinds.slice(0, 5).map(([text, times]) => `${times} x ${text}`);
  return { ...verdict(claim, count === 0, String(count)), examples };
}

/**
 * @param {Findings} findings
 * @returns {Verdict[]}
 */
function heapVerdicts({ holdings }) {
  return /** @type {const} */ (['server', 'callers']).map((side) => {
    const { before, after } = holdings[side];
    const growth = after.heap / before.heap - 1;
    const figures = `${mebibytes(before.heap)} before, ${mebibytes(after.heap)} after (${(growth * 100).toFixed(1)} %)`;
    return {
      claim: `the heap of the ${side} process grows by no more than ${heapBound * 100} %`,
      holds: after.heap <= before.heap * (1 + heapBound),
      found: figures,
    };
  });
}

/** @param {number} bytes */
export function mebibytes(bytes) {
  return `${(bytes / 2 ** 20).toFixed(2)} MiB`;
}

/**
 * @param {Findings} findings
 * @returns {Verdict[]}
 */
function tidyVerdicts({ open, holdings, ends }) {
  const left = /** @type {const} */ (['server', 'callers']).map((side) => {
    const { sockets, timers, resources } = holdings[side].after;
    const kept = Object.keys(resources).filter((kind) => !harmless.has(kind));
    const found = `${sockets} sockets, timers of ${timers.slice(0, 5).join(', ') || 'no'} ms, ${kept.join(', ') || 'nothing else'}`;
    const holds = sockets === 0 && timers.length === 0 && kept.length === 0;
    return verdict(`no socket and no timer is left in the ${side} process`, holds, found);
  });
  const ended = /** @type {const} */ (['server', 'callers']).map((side) => {
    const end = ends[side];
    const found = end === undefined ? 'it had to be killed' : `${end.code ?? end.signal}`;
    return verdict(`the ${side} process ends by itself`, end?.code === 0, found);
  });
  const held = `${open.sessions} sessions, ${open.sockets} sockets`;
  const empty = open.sessions === 0 && open.sockets === 0;
  return [verdict('no session and no socket outlives its caller', empty, held), ...left, ...ended];
}

/** Handles of the channel to the parent process, and of output. */
const harmless = new Set(['PipeWrap', 'TTYWrap', 'FSReqPromise', 'Immediate']);
