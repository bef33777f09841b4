import { describe, expect, test } from 'vitest';
import { handledBy } from '../nodes/journal.js';
import { verdictsOf } from './verdicts.js';

/** @typedef {import('./cluster-run.js').Findings} Findings */

describe('verdictsOf', () => {
  test('passes a successful run', () => {
    expect(failed(findings())).toEqual([]);
  });

  test('fails when nothing explains the failure of a call', () => {
    const found = findings();
    found.sides.tenon.failures.push(failure(7, 60_000));
    found.sides.official.failures.push(failure(8, 60_000));
    expect(failed(found)).toEqual([
      'disturbances explain every failed call of our clients',
      'disturbances explain every failed call of the official clients',
    ]);
  });

  test('passes when a node with the call ended meanwhile', () => {
    const found = findings();
    found.sides.tenon.failures.push(failure(7, 10_000));
    found.journals.calls.set(7, { ...handledBy('quick'), begun: [2], done: [], cancelled: [] });
    expect(failed(found)).toEqual([]);
  });

  test('fails for each fault that callers recorded', () => {
    const found = findings();
    fault(found, 'wrong answer');
    fault(found, 'answered twice on the wire');
    fault(found, 'update of another caller');
    fault(found, 'session lost');
    fault(found, 'not alive after the storm');
    expect(failed(found)).toEqual([
      'every request ends with its answer or a typed error',
      'no answer arrives twice',
      'no caller receives a message of another caller',
      'sessions survive the nodes',
      'every caller calls and receives updates after the storm',
    ]);
  });

  test('fails when a call is done twice, but not when it begins again', () => {
    const found = findings();
    found.journals.calls.set(7, { ...handledBy('quick'), begun: [1, 2], done: [2], cancelled: [] });
    expect(failed(found)).toEqual([]);
    found.journals.calls.set(7, { ...handledBy('quick'), begun: [1, 2], done: [1, 2], cancelled: [] });
    expect(failed(found)).toEqual(['no call is handled twice']);
  });

  test('fails when a cancelled call runs to its end', () => {
    const found = findings();
    found.sides.tenon.cancelled.push(7);
    found.journals.calls.set(7, { ...handledBy('quick'), begun: [1], done: [], cancelled: [1] });
    expect(failed(found)).toEqual([]);
    found.journals.calls.set(7, { ...handledBy('quick'), begun: [1], done: [1], cancelled: [] });
    expect(failed(found)).toEqual(['cancellations reach their calls (1)']);
  });

  test('fails when nodes accept more calls than the rate in sum', () => {
    const found = findings();
    found.sides.tenon.floods = [{ from: 60_000, to: 63_000, accepted: 800, refused: 100 }];
    expect(failed(found)).toEqual([
      'the rate of a caller holds for all nodes together (1 of 1 floods above it)',
    ]);
  });

  test('does not judge a flood while the state is away', () => {
    const found = findings();
    found.sides.tenon.floods.push({ from: 20_000, to: 23_000, accepted: 800, refused: 100 });
    expect(failed(found)).toEqual([]);
  });

  test('fails when the heap grows, a node does not end, or an error is reported', () => {
    const found = findings();
    found.heap.after = found.heap.before * 2;
    const stuck = ['node 3: it had to be killed'];
    found.journals.complaints.unhandled = { 'Error: x': 1 };
    found.sides.tenon.found.untyped = { 'Error: y': 2 };
    expect(failed({ ...found, stuck })).toEqual([
      'the heap of the node that lives through stays flat',
      'drained nodes end by themselves',
      'no rejection goes unhandled in a node',
      'no error without a family is reported in our callers',
    ]);
  });

  test('fails when a rolling restart loses a call, except over HTTP+SSE with an official client', () => {
    const claim = 'a rolling restart of 4 nodes loses no call, though the proxy is not warned';
    const drained = { kind: 'drain without a warning', node: 5, from: 70_000, to: 80_000 };
    const found = findings();
    found.sides.official.failures.push({
      ...failure(8, 75_000),
      clientKind: 'official 2.x, sse, 2024-11-05',
    });
    const disturbances = [...found.disturbances, /** @type {any} */ (drained)];
    expect(failed({ ...found, disturbances })).toEqual([]);
    found.sides.tenon.failures.push(failure(7, 75_000));
    expect(failed({ ...found, disturbances })).toEqual([claim]);
  });

  test('fails when there was no disturbance', () => {
    const found = { ...findings(), disturbances: [] };
    expect(failed(found)).toEqual([
      'nodes were killed and drained, the state was stopped and restarted, streams were resumed',
    ]);
  });
});

/** @param {Findings} found */
function failed(found) {
  return verdictsOf(found).flatMap(({ claim, holds }) => (holds ? [] : [claim]));
}

/**
 * @param {number} number
 * @param {number} from
 */
function failure(number, from) {
  return { number, kind: 'quick', clientKind: 'Tenon', problem: 'TransportError', from, to: from + 100 };
}

/**
 * @param {Findings} found
 * @param {import('../storm/findings/ledger.js').Fault} name
 */
function fault(found, name) {
  found.sides.tenon.faults[name] = { count: 1, examples: [] };
}

/**
 * Returns the findings of a successful run.
 *
 * @returns {Findings}
 */
function findings() {
  const nothing = () => ({ unhandled: {}, untyped: {}, typed: {} });
  const side = () => ({
    ...{ calls: {}, right: {}, errors: {}, messages: {}, events: {}, faults: {}, first: 0, last: 0 },
    ...{
      failures: [],
      floods: [],
      cancelled: [],
      repeated: [],
      tasks: [],
      proofs: [],
      residents: { opened: 1, lost: 0 },
      found: nothing(),
    },
  });
  const counts = { requests: 1, again: 0, badGateway: 0, noNode: 0, resumptions: 1, cuts: 1 };
  const flood = { from: 60_000, to: 63_000, accepted: 210, refused: 100 };
  return /** @type {any} */ ({
    sides: { tenon: { ...side(), floods: [flood] }, official: side() },
    began: 0,
    journals: { calls: new Map(), complaints: nothing() },
    disturbances: [
      { kind: 'kill', node: 2, from: 10_000, to: 10_050 },
      { kind: 'drain', node: 3, from: 15_000, to: 15_500 },
      { kind: 'drain without a warning', node: 4, from: 17_000, to: 17_500 },
      { kind: 'state stopped', node: undefined, from: 20_000, to: 23_000 },
      { kind: 'state restarted', node: undefined, from: 30_000, to: 30_100 },
    ],
    stuck: [],
    rolling: { from: 70_000, to: 80_000, nodes: 4 },
    proxy: counts,
    heap: { before: 20 * 2 ** 20, after: 21 * 2 ** 20 },
  });
}
