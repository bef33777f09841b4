import { expect, test } from 'vitest';
import { handledBy } from '../nodes/journal.js';
import { endedTasks } from './task-verdicts.js';

const again = 'no step of a task runs twice (1 of 1 tasks were continued)';
const after = 'a task that has ended is not handled again (1)';

const killed = { kind: 'kill', node: 2, from: 10_000, to: 10_050 };
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
  expect(failed(begun, 26_000)).toEqual([]);
  expect(failed(begun, 24_000)).toEqual([after]);
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
 * @param {number} [endedAt]
 */
function failed(handled, endedAt = 30_000) {
  const verdicts = endedTasks(findings({ ...handledBy('work'), ...handled }, endedAt));
  return verdicts.flatMap(({ claim, holds }) => (holds ? [] : [claim]));
}

/**
 * @param {import('../nodes/journal.js').Handled} handled
 * @param {number} [endedAt]
 * @returns {import('./cluster-run.js').Findings}
 */
function findings(handled, endedAt = 0) {
  const tenon = { tasks: [{ number: 7, endedAt }] };
  return /** @type {any} */ ({
    sides: { tenon },
    journals: { calls: new Map([[7, handled]]) },
    disturbances: [killed],
  });
}
