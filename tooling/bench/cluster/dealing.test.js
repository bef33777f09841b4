import { describe, expect, it } from 'vitest';
import { dealt } from './dealing.js';

/** @param {{ processes: number, sessions: number, visits: number, requests: number }} given */
function deal({ requests, ...among }) {
  return Array.from({ length: requests }, (_, request) => dealt(request, among));
}

describe('dealt', () => {
  it('sends each request to the next process', () => {
    const all = deal({ processes: 4, sessions: 3, visits: 4, requests: 9 });
    expect(all.map(({ process }) => process)).toEqual([0, 1, 2, 3, 0, 1, 2, 3, 0]);
  });

  it.each([
    [2, 3],
    [2, 4],
    [4, 16],
    [4, 6],
  ])('sends each session to each of %i processes, of %i sessions', (processes, sessions) => {
    const all = deal({ processes, sessions, visits: processes, requests: processes * sessions });
    expect(new Set(all.map(({ process, session }) => `${process} ${session}`)).size).toBe(
      processes * sessions,
    );
  });

  it('sends each session to one process with one visit', () => {
    const all = deal({ processes: 4, sessions: 8, visits: 1, requests: 24 });
    expect(all.slice(0, 8).map(({ session }) => session)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(new Set(all.map(({ process, session }) => `${process} ${session}`)).size).toBe(8);
  });
});
