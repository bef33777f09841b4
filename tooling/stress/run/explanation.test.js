import { expect, test } from 'vitest';
import { handledBy } from '../nodes/journal.js';
import { explanationOf } from './explanation.js';

const disturbances = /** @type {const} */ ([
  { kind: 'kill', node: 2, from: 10_000, to: 10_050 },
  { kind: 'state stopped', node: undefined, from: 20_000, to: 23_000 },
]);

test('explains a call by the end of the node that began the call', () => {
  expect(explain({ from: 9_000, to: 10_100 }, [2])).toBe('kill');
  expect(explain({ from: 9_000, to: 10_100 }, [1])).toBeUndefined();
  expect(explain({ from: 12_000, to: 13_000 }, [2])).toBeUndefined();
});

test('explains a call that no node began by the end of any node', () => {
  expect(explain({ from: 9_000, to: 10_100 })).toBe('kill');
  expect(explain({ from: 12_000, to: 13_000 })).toBeUndefined();
});

test('explains a call by an outage of the state, and by the time in which nodes connect again', () => {
  expect(explain({ from: 22_000, to: 22_100 }, [1])).toBe('state stopped');
  expect(explain({ from: 25_000, to: 25_100 }, [1])).toBe('state stopped');
  expect(explain({ from: 40_000, to: 41_000 }, [1])).toBeUndefined();
});

test('explains a missing update of an official client by the end of any node', () => {
  const failure = { kind: 'update', clientKind: 'official 1.x, http', from: 9_000, to: 19_000 };
  expect(explain(failure, [1])).toBe('kill');
  expect(explain({ ...failure, clientKind: 'Tenon, http' }, [1])).toBeUndefined();
});

test('explains a call of a client that gave up its stream by the end of any node', () => {
  const failure = { kind: 'steps', clientKind: 'official 1.x, http', from: 9_000, to: 19_000 };
  expect(explain(failure, [1])).toBeUndefined();
  expect(explain({ ...failure, gaveUp: true }, [1])).toBe('kill');
  expect(explain({ ...failure, gaveUp: true, from: 12_000 }, [1])).toBeUndefined();
});

test('explains a call over HTTP+SSE by the end of any node, because messages are forwarded', () => {
  const failure = { clientKind: 'Tenon, sse, 2024-11-05', from: 9_000, to: 10_100 };
  expect(explain(failure, [1])).toBe('kill');
  expect(explain({ ...failure, clientKind: 'Tenon, http, 2025-03-26' }, [1])).toBeUndefined();
});

/**
 * @param {object} failure
 * @param {number[]} [begun]
 */
function explain(failure, begun) {
  const whole = { number: 7, kind: 'quick', clientKind: 'Tenon', problem: '', from: 0, to: 0, ...failure };
  return explanationOf(whole, begun && { ...handledBy('quick'), begun }, disturbances);
}
