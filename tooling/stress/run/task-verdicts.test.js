import { expect, test } from 'vitest';
import { handledBy } from '../nodes/journal.js';
import { endedTasks } from './task-verdicts.js';

const again = 'no step of a task runs twice (1 of 1 tasks were continued)';
const after = 'a task that has ended is not handled again (1)';

const killed = { kind: 'kill', node: 2, from: 10_000, to: 10_050 };
const stopped = { kind: 'state stopped', node: undefined, from: 20_000, to: 23_000 };
const begun = { begun: [2, 3], begunAt: [9_000, 25_000] };

test('passes a task that goes on at another node with the steps that were kept', () => {
  const ran = [step(1, 2, 9_100), step(2, 2, 9_990), step(2, 3, 25_100)];
  const kept = [step(1, 2, 9_110), step(1, 3, 25_050), step(2, 3, 25_110)];
  expect(failed({ ...begun, ran, kept })).toEqual([]);
});

test('fails when a step of a task runs after it was kept', () => {
  const ran = [step(1, 2, 9_900), step(1, 3, 25_000)];
  expect(failed({ ...begun, ran, kept: [step(1, 2, 9_910)] })).toEqual([again]);
});

test('fails when a task is handled after its end', () => {
  expect(failed(begun, { endedAt: 26_000 })).toEqual([]);
  expect(failed(begun, { endedAt: 24_000 })).toEqual([after]);
});

test('fails when a call has become a task and fails, except while the state is away', () => {
  const failure = { number: 7, kind: 'task', problem: 'SessionError closed', from: 9_000, to: 12_000 };
  const claim = 'a call that has become a task survives the nodes';
  expect(failed(begun, { failure })).toEqual([]);
  expect(failed(begun, { failure: { ...failure, becameTask: true } })).toEqual([claim]);
  expect(failed(begun, { failure: { ...failure, becameTask: true, problem: 'no end' } })).toEqual([]);
  expect(failed(begun, { failure: { ...failure, becameTask: true, to: 20_500 } })).toEqual([]);
});

test('has no verdicts when no task ran', () => {
  expect(endedTasks(findings(handledBy('quick')))).toEqual([]);
});

/**
 * @param {number} number
 * @param {number} node
 * @param {number} at
 */
function step(number, node, at) {
  return { step: number, node, at };
}

/**
 * @param {Partial<import('../nodes/journal.js').Handled>} handled of task 7
 * @param {{ endedAt?: number, failure?: object }} [records]
 */
function failed(handled, records) {
  const verdicts = endedTasks(findings({ ...handledBy('work'), ...handled }, records));
  return verdicts.flatMap(({ claim, holds }) => (holds ? [] : [claim]));
}

/**
 * @param {import('../nodes/journal.js').Handled} handled
 * @param {{ endedAt?: number, failure?: object }} [records]
 * @returns {import('./cluster-run.js').Findings}
 */
function findings(handled, { endedAt = 30_000, failure } = {}) {
  const tenon = { tasks: [{ number: 7, endedAt }], failures: failure === undefined ? [] : [failure] };
  return /** @type {any} */ ({
    sides: { tenon },
    journals: { calls: new Map([[7, handled]]) },
    disturbances: [killed, stopped],
  });
}
