import { expect, test } from 'vitest';
import { Handling, Outcome } from '../storm/ledger.js';
import { verdictsOf } from './verdicts.js';

/** @typedef {import('./soaking.js').Findings} Findings */

/** @returns {Findings} what is known of a soak in which all went well */
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
    ...{ ledger, strikes: 3, endpoints: 0, seconds: 1 },
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

test('a soak in which all went well is found well', () => {
  expect(failed(good())).toEqual([]);
});

/** @type {[string, (findings: any) => void, string][]} */
const flaws = [
  ['a call without an end', ({ ledger }) => blame(ledger, 'no end'), 'no answer is lost'],
  ['a wrong answer', ({ ledger }) => blame(ledger, 'wrong answer'), 'no answer is lost'],
  [
    'an error where nothing breaks',
    ({ ledger }) => blame(ledger, 'unexplained error'),
    'where nothing breaks',
  ],
  ['two answers', ({ ledger }) => blame(ledger, 'answered twice on the wire'), 'no answer is doubled'],
  ['a call handled twice', (findings) => findings.handled.set([2], 1), 'no call is handled twice'],
  ['an answer from nowhere', (findings) => findings.handled.set([0], 1), 'every right answer is of a call'],
  ['a hole', ({ ledger }) => blame(ledger, 'hole in progress'), 'what is told on the way'],
  ['a question too many', ({ ledger }) => blame(ledger, 'question of another call'), 'nobody meets'],
  ['a caller that is gone', ({ ledger }) => blame(ledger, 'not alive after the storm'), 'everybody is there'],
  ['nothing that broke', (findings) => Object.assign(findings, { strikes: 0 }), 'messages were lost'],
  ['an unhandled rejection', ({ found }) => Object.assign(found.unhandled, { oh: 1 }), 'no rejection'],
  ['an error of no family', ({ found }) => Object.assign(found.untyped, { oh: 1 }), 'no error without'],
  ['a conversation that goes on', (findings) => Object.assign(findings, { endpoints: 1 }), 'no conversation'],
  ['a timer', ({ after }) => Object.assign(after, { timers: [5] }), 'no timer'],
  ['a socket', ({ after }) => Object.assign(after, { sockets: 1 }), 'no socket'],
  ['a process', ({ after }) => Object.assign(after, { resources: { ProcessWrap: 1 } }), 'no socket'],
  ['a larger heap', ({ after }) => Object.assign(after, { heap: 10_600_000 }), 'the heap grows'],
];

test.each(flaws)('%s is found', (_, spoil, claim) => {
  const findings = good();
  spoil(findings);
  expect(failed(findings)).toEqual([expect.stringContaining(claim)]);
});

/**
 * @param {{ faults: object }} ledger
 * @param {import('../storm/ledger.js').Fault} fault
 */
function blame(ledger, fault) {
  Object.assign(ledger.faults, { [fault]: { count: 1, examples: [] } });
}
