import { describe, expect, it } from 'vitest';
import { type RequestState, transitions } from './request-state.js';

const states = Object.keys(transitions) as RequestState[];

/** The states that events lead to from one, itself included. */
function reachable(from: RequestState): Set<RequestState> {
  const found = new Set([from]);
  for (const state of found) for (const next of Object.values(transitions[state])) found.add(next);
  return found;
}

describe('the states of a POST', () => {
  it('are all reached from queued', () => {
    expect([...reachable('queued')].sort()).toEqual([...states].sort());
  });

  it.each(states.filter((state) => state !== 'settled'))('let %s be settled at any time', (state) => {
    expect(transitions[state].settle).toBe('settled');
  });

  it('are left no more once it is settled', () => {
    expect([...reachable('settled')]).toEqual(['settled']);
  });

  it.each<RequestState>(['lingering', 'resuming', 'session-lost'])(
    'never lead from %s to another response that is read',
    (state) => {
      const after = [...reachable(state)].filter((next) => next !== state);
      expect(after).toEqual(['settled']);
    },
  );
});
