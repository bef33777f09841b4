import { expect, test } from 'vitest';
import { Handling, Outcome } from '../storm/ledger.js';
import { verdictsOf } from './verdicts.js';

/** @typedef {import('./soaking.js').Findings} Findings */

/** @returns {Findings} the findings of a successful soak */
function good() {
  const held = { heap: 10_000_000, rss: 0, sockets: 0, resources: { TTYWrap: 1, Timeout: 3 }, timers: [] };
  const ledger = {
    first: 0,
    last: 1,
    outcomes: Uint8Array.of(0, Outcome.right),
    handling: Uint8Array.of(0, Handling.once),
    calls: { quick: 1 },
    right: { quick: 1 },
    errors: {},
    messages: {},
    events: { 'connections replaced': 2 },
    faults: {},
  };
  return {
    ...{ ledger, messageFaults: 3, endpoints: 0, seconds: 1 },
    handled: Uint8Array.of(0, 1),
    proxy: /** @type {any} */ ({ connections: 4, faults: { reset: 2 } }),
    found: { unhandled: {}, untyped: {}, typed: {} },
    before: held,
    after: { ...held, heap: 10_400_000 },
  };
}

/** @param {Findings} findings */
function failed(findings) {
  return verdictsOf(findings).flatMap(({ claim, holds }) => (holds ? [] : [claim]));
}

test('passes a successful soak', () => {
  expect(failed(good())).toEqual([]);
});

/** @type {[string, (findings: any) => void, string][]} */
const problems = [
  ['a call without an end', ({ ledger }) => recordFault(ledger, 'no end'), 'no answer is lost'],
  ['a wrong answer', ({ ledger }) => recordFault(ledger, 'wrong answer'), 'no answer is lost'],
  [
    'an error on an unbroken path',
    ({ ledger }) => recordFault(ledger, 'unexplained error'),
    'every call on an unbroken path',
  ],
  ['two answers', ({ ledger }) => recordFault(ledger, 'answered twice on the wire'), 'no answer is doubled'],
  ['a call handled twice', (findings) => findings.handled.set([2], 1), 'no call is handled twice'],
  ['an answer from nowhere', (findings) => findings.handled.set([0], 1), 'the server handled every call'],
  ['a hole', ({ ledger }) => recordFault(ledger, 'hole in progress'), 'progress and logs'],
  [
    'an input request too many',
    ({ ledger }) => recordFault(ledger, 'input request of another call'),
    'no caller gets data',
  ],
  [
    'a caller that is gone',
    ({ ledger }) => recordFault(ledger, 'not alive after the storm'),
    'every caller is connected',
  ],
  ['nothing that broke', (findings) => Object.assign(findings, { messageFaults: 0 }), 'messages were lost'],
  ['an unhandled rejection', ({ found }) => Object.assign(found.unhandled, { oh: 1 }), 'no rejection'],
  ['an error of no family', ({ found }) => Object.assign(found.untyped, { oh: 1 }), 'no error without'],
  ['a conversation that goes on', (findings) => Object.assign(findings, { endpoints: 1 }), 'no conversation'],
  ['a timer', ({ after }) => Object.assign(after, { timers: [5] }), 'no timer'],
  ['a socket', ({ after }) => Object.assign(after, { sockets: 1 }), 'no socket'],
  ['a process', ({ after }) => Object.assign(after, { resources: { ProcessWrap: 1 } }), 'no socket'],
  ['a larger heap', ({ after }) => Object.assign(after, { heap: 10_600_000 }), 'the heap grows'],
];

test.each(problems)('finds %s', (_, spoil, claim) => {
  const findings = good();
  spoil(findings);
  expect(failed(findings)).toEqual([expect.stringContaining(claim)]);
});

/**
 * @param {{ faults: object }} ledger
 * @param {import('../storm/ledger.js').Fault} fault
 */
function recordFault(ledger, fault) {
  Object.assign(ledger.faults, { [fault]: { count: 1, examples: [] } });
}
