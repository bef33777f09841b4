import { describe, expect, it } from 'vitest';
import { faultsOf, lineOf } from './verdicts.js';

const endured = {
  name: 'reads',
  about: 'many reads',
  ended: undefined,
  memory: { before: 10 * 2 ** 20, after: 11 * 2 ** 20, peak: 200 * 2 ** 20 },
  neighbour: { calls: 40, slowest: 80.4, largestParse: 100, failures: [] },
};

const most = { patience: 8, memory: 2 ** 30 };

describe('faultsOf', () => {
  it('returns no fault when the server lives, frees its memory and answers the other client', () => {
    expect(faultsOf(endured, most)).toEqual([]);
  });

  it('returns only the end of the server when its process ended', () => {
    expect(faultsOf({ ...endured, ended: 'the server ended by itself (1)' }, most)).toEqual([
      'the server ended by itself (1)',
    ]);
  });

  it('returns memory that is not freed, a slow call, a failed call and an attack that could not run', () => {
    const found = faultsOf(
      {
        ...endured,
        failed: 'no session',
        memory: { ...endured.memory, after: 11.1 * 2 ** 20, peak: 2 ** 30 + 1 },
        neighbour: { calls: 3, slowest: 1_200, largestParse: 100, failures: ['status 503: full', 'another'] },
      },
      most,
    );
    expect(found).toEqual([
      'the attack could not be made: no session',
      '11.1 MiB are held after it, 10.0 MiB before',
      'the process occupied 1024.0 MiB',
      'another client waited 1200 ms for an echo: 12.0 times the 100 ms of the most expensive body',
      'another client was not served: status 503: full',
    ]);
  });

  it('returns memory beyond what the state may keep, many reports, and a handler that ran again', () => {
    const state = { ...endured, memory: { ...endured.memory, after: 14 * 2 ** 20, kept: 4 * 2 ** 20 } };
    expect(faultsOf({ ...state, counts: { reported: 1_000, runs: 1 } }, most)).toEqual([]);
    const memory = { ...state.memory, after: 16 * 2 ** 20 };
    expect(faultsOf({ ...state, memory, counts: { reported: 1_001, runs: 3 } }, most)).toEqual([
      '16.0 MiB are held after it, 10.0 MiB before',
      '1001 errors were reported',
      'a handler that had finished ran again: 3 times in all',
    ]);
  });
});

describe('lineOf', () => {
  it('prints the figures, and each fault on a line of its own', () => {
    expect(lineOf(endured, ['slow'])).toBe(
      'FAIL  reads                 echo at most   80 ms, 0.8 bodies (40 calls); held 10.0 MiB -> 11.0 MiB, peak 200.0 MiB\n        slow',
    );
    expect(lineOf({ name: 'lines', about: '', ended: undefined }, [])).toBe('ok    lines');
  });
});
