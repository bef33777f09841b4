import { calls, counts, lineOf } from '../storm/report.js';

/** @typedef {import('./soaking.js').Findings} Findings */
/** @typedef {import('../storm/verdicts.js').Verdict} Verdict */

/**
 * Returns the figures of a soak without the long lists.
 *
 * @param {Findings} findings
 */
export function figuresOf({ ledger, proxy, messageFaults, found, seconds, before, after }) {
  return {
    seconds: Math.round(seconds * 10) / 10,
    calls: ledger.calls,
    rightAnswers: ledger.right,
    typedErrors: ledger.errors,
    events: ledger.events,
    messageFaults,
    connections: proxy.connections,
    faults: proxy.faults,
    reported: found.typed,
    heap: { before: before.heap, after: after.heap },
    resources: { before: before.resources, after: after.resources },
  };
}

/**
 * Returns the report as text.
 *
 * @param {ReturnType<typeof figuresOf>} figures
 * @param {readonly Verdict[]} verdicts
 */
export function textOf(figures, verdicts) {
  return [
    calls(`call (${figures.seconds} s)`, figures),
    counts('typed errors', figures.typedErrors),
    counts('callers', figures.events),
    counts(`faults on ${figures.connections} TCP connections`, figures.faults),
    `faults on messages, and children killed: ${figures.messageFaults}`,
    counts('reported to onError', figures.reported, 8),
    verdicts.map(lineOf).join('\n'),
  ].join('\n\n');
}
