import { describe, expect, it } from 'vitest';
import { type RequestState, transitions } from './request-state.js';

const states = Object.keys(transitions) as RequestState[];

/** Returns all states that can be reached from one, including itself. */
function reachable(from: RequestState): Set<RequestState> {
  const found = new Set([from]);
  for (const state of found) for (const next of Object.values(transitions[state])) found.add(next);
  return found;
}

describe('the states of a POST', () => {
  it('can all be reached from queued', () => {
    expect([...reachable('queued')].sort()).toEqual([...states].sort());
  });

  it.each(states.filter((state) => state !== 'settled'))('can be settled from %s', (state) => {
    expect(transitions[state].settle).toBe('settled');
  });

  it('do not change after settled', () => {
    expect([...reachable('settled')]).toEqual(['settled']);
  });

  it.each<RequestState>(['lingering', 'resuming', 'session-lost'])(
    'do not read another response after %s',
    (state) => {
      const after = [...reachable(state)].filter((next) => next !== state);
      expect(after).toEqual(['settled']);
    },
  );
});
