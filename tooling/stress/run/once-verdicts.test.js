import { expect, test } from 'vitest';
import { handledBy } from '../nodes/journal.js';
import { repeatedCalls, replays } from './once-verdicts.js';

const killed = { kind: 'kill', node: 2, from: 10_000, to: 10_050 };
const stopped = { kind: 'state stopped', node: undefined, from: 20_000, to: 23_000 };

const twice = 'no step of a repeated call runs twice (1 of 1 calls attempted again)';
const answered = 'a repeated call that has a step is answered';
const after = 'a call that has ended is not handled again (1)';

test('passes a call that goes on at another node with the steps that were kept', () => {
  const charge = { begun: [2, 3], begunAt: [9_000, 11_000], ran: [step(1, 2, 9_100), step(2, 3, 11_100)] };
  const kept = [step(1, 2, 9_110), step(1, 3, 11_050), step(2, 3, 11_110)];
  expect(failed(repeatedCalls(findings({ ...charge, kept }, { answeredAt: 12_000 })))).toEqual([]);
});

test('fails when a step runs after it was kept, whatever happened to its node', () => {
  const ran = [step(1, 2, 9_900), step(1, 3, 11_000)];
  const charge = { begun: [2, 3], ran, kept: [step(1, 2, 9_910)] };
  expect(failed(repeatedCalls(findings(charge)))).toEqual([twice]);
});

test('fails when a step runs twice though nothing interrupted it', () => {
  const run = (/** @type {number} */ at) => ({
    begun: [2, 3],
    ran: [step(1, 2, at), step(1, 3, at + 2_000)],
  });
  expect(failed(repeatedCalls(findings(run(9_900))))).toEqual([]);
  expect(failed(repeatedCalls(findings(run(22_000))))).toEqual([]);
  expect(failed(repeatedCalls(findings(run(40_000))))).toEqual([twice]);
  // The value of a step can wait for the state for longer than its node lives.
  expect(failed(repeatedCalls(findings(run(8_500))))).toEqual([]);
  expect(failed(repeatedCalls(findings(run(7_500))))).toEqual([twice]);
});

test('fails when a call with a step is not answered, except while the state is away', () => {
  const charge = { begun: [2, 3], ran: [step(1, 2, 9_000)], kept: [step(1, 2, 9_010)] };
  const failure = (/** @type {number} */ from) => ({ number: 7, kind: 'repeat', from, to: from + 500 });
  expect(failed(repeatedCalls(findings(charge, { failure: failure(9_900) })))).toEqual([answered]);
  expect(failed(repeatedCalls(findings(charge, { failure: failure(21_000) })))).toEqual([]);
  const early = { begun: [2, 3] };
  expect(failed(repeatedCalls(findings(early, { failure: failure(9_900) })))).toEqual([]);
});

test('fails when a call is handled after its answer, unless the state was away at its end', () => {
  const charge = (/** @type {number} */ at) => ({ begun: [2, 3], begunAt: [at - 1_000, at + 10] });
  expect(failed(repeatedCalls(findings(charge(9_000), { answeredAt: 9_000 })))).toEqual([after]);
  expect(failed(repeatedCalls(findings(charge(21_000), { answeredAt: 21_000 })))).toEqual([]);
});

test('fails when nodes accept a proof twice, by the answers or by the journals', () => {
  const claim = 'no DPoP proof is accepted twice (1 proofs, 3 copies refused)';
  const proof = { number: 7, accepted: 1, refused: 3, others: [] };
  const quick = { begun: [1] };
  expect(failed(replays(findings(quick, { proof })))).toEqual([]);
  expect(failed(replays(findings(quick, { proof: { ...proof, accepted: 2 } })))).toEqual([claim]);
  expect(failed(replays(findings({ begun: [1, 2] }, { proof })))).toEqual([claim]);
});

/**
 * @param {number} number
 * @param {number} node
 * @param {number} at
 */
function step(number, node, at) {
  return { step: number, node, at };
}

/** @param {readonly import('../storm/findings/verdicts.js').Verdict[]} verdicts */
function failed(verdicts) {
  return verdicts.flatMap(({ claim, holds }) => (holds ? [] : [claim]));
}

/**
 * @param {Partial<import('../nodes/journal.js').Handled>} handled of call 7
 * @param {{ answeredAt?: number, failure?: object, proof?: object }} [records]
 * @returns {import('./cluster-run.js').Findings}
 */
function findings(handled, { answeredAt, failure, proof } = {}) {
  const tenon = {
    repeated: answeredAt === undefined ? [] : [{ number: 7, answeredAt }],
    failures: failure === undefined ? [] : [failure],
    proofs: proof === undefined ? [] : [proof],
  };
  const journals = { calls: new Map([[7, { ...handledBy('charge'), ...handled }]]) };
  return /** @type {any} */ ({ sides: { tenon }, journals, disturbances: [killed, stopped] });
}
