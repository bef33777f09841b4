import { Handling, Outcome } from './ledger.js';

/** @typedef {import('../storm.js').Findings} Findings */

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
 * The claims that a fault breaks.
 *
 * @type {readonly (readonly [claim: string, faults: readonly import('./ledger.js').Fault[]])[]}
 */
const claims = [
  ['every call ends with its right answer or a typed error', ['wrong answer', 'untyped error', 'no end']],
  ['broken connections explain every error', ['unexplained error', 'wrong revision']],
  ['nothing is delivered twice', ['answered twice on the wire', 'event twice on the wire']],
  ['streams lose nothing', ['hole in progress', 'hole in logs', 'hole in ticks']],
  ['no caller gets data of another caller', ['input request of another call', 'answer of another user']],
  ['every caller is connected again after the storm', ['not alive after the storm', 'closing failed']],
];

/**
 * Returns the verdicts on a storm.
 *
 * @param {Findings} findings
 * @returns {Verdict[]}
 */
export function verdictsOf(findings) {
  const { ledger, scenario } = findings;
  return [
    ...claims.map(([claim, faults]) => faultVerdict(claim, ledger.faults, faults)),
    ...handledVerdicts(findings),
    ...proofs[scenario](findings),
    ...findings.processes.flatMap(complaintVerdicts),
    ...findings.processes.map(heapVerdict),
    opened(findings),
    ...findings.processes.map(leftVerdict),
    ...findings.processes.flatMap(endVerdicts),
  ];
}

/**
 * The faults that each kind of storm must have met: one without them proves little.
 *
 * @type {Readonly<Record<import('../scenarios.js').ScenarioName, (findings: Findings) => Verdict[]>>}
 */
const proofs = {
  http: ({ unnotified, proxy, server }) => [
    {
      ...verdict(
        'every watch receives a change after the storm',
        unnotified.length === 0,
        `${unnotified.length} do not`,
      ),
      examples: unnotified.slice(0, 5),
    },
    verdict(
      'streams were resumed, and events sent again',
      proxy.resumptions > 0 && server.replayed > 0,
      'none',
    ),
  ],
  soak: ({ ledger, proxy }) => {
    const { messageFaults, events } = ledger;
    const replaced = events['connections replaced'] ?? 0;
    return [
      verdict(
        'messages were lost, connections broken and replaced',
        messageFaults > 0 && proxy.broken > 0 && replaced > 0,
        `${messageFaults} faults, ${proxy.broken} broken connections, ${replaced} replaced`,
      ),
    ];
  },
};

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
 * @param {import('../storm.js').Held} process
 * @returns {Verdict[]}
 */
function complaintVerdicts({ name, after: { found } }) {
  return [
    complaintVerdict(`no rejection goes unhandled in the ${name} process`, found.unhandled),
    complaintVerdict(`no error without a family is reported in the ${name} process`, found.untyped),
  ];
}

/**
 * @param {string} claim
 * @param {import('../../children/complaints.js').Complaints} complaints
 * @returns {Verdict}
 */
export function complaintVerdict(claim, complaints) {
  const kinds = Object.entries(complaints).sort(([, a], [, b]) => b - a);
  const count = kinds.reduce((sum, [, times]) => sum + times, 0);
  const examples = kinds.slice(0, 5).map(([text, times]) => `${times} x ${text}`);
  return { ...verdict(claim, count === 0, String(count)), examples };
}

/**
 * @param {import('../storm.js').Held} process
 * @returns {Verdict}
 */
function heapVerdict({ name, before, after }) {
  const growth = after.heap / before.heap - 1;
  return {
    claim: `the heap of the ${name} process grows by no more than ${heapBound * 100} %`,
    holds: after.heap <= before.heap * (1 + heapBound),
    found: `${mebibytes(before.heap)} before, ${mebibytes(after.heap)} after (${(growth * 100).toFixed(1)} %)`,
  };
}

/** @param {number} bytes */
export function mebibytes(bytes) {
  return `${(bytes / 2 ** 20).toFixed(2)} MiB`;
}

/** @param {Findings} findings */
function opened({ open: { sessions, sockets } }) {
  const isEmpty = sessions === 0 && sockets === 0;
  return verdict(
    'no session and no socket outlives its caller',
    isEmpty,
    `${sessions} sessions, ${sockets} sockets`,
  );
}

/** @param {import('../storm.js').Held} process */
function leftVerdict({ name, after: { sockets, timers, resources } }) {
  const kept = Object.keys(resources).filter((kind) => !harmless.has(kind));
  const found = `${sockets} sockets, timers of ${timers.slice(0, 5).join(', ') || 'no'} ms, ${kept.join(', ') || 'nothing else'}`;
  const holds = sockets === 0 && timers.length === 0 && kept.length === 0;
  return verdict(`no socket, timer, process or other handle is left in the ${name} process`, holds, found);
}

/** @param {import('../storm.js').Held} process */
function endVerdicts({ name, end }) {
  if (end === undefined) return [];
  const found = end === null ? 'it had to be killed' : `${end.code ?? end.signal}`;
  return [verdict(`the ${name} process ends by itself`, end?.code === 0, found)];
}

/** Handles of the channel to the parent process, and of output. */
const harmless = new Set(['PipeWrap', 'TTYWrap', 'FSReqPromise', 'Immediate']);
