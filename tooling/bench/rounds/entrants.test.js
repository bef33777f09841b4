import { describe, expect, it } from 'vitest';
import { rows } from '../matrix/rows.js';
import { entrantsOf } from './entrants.js';

const own = { path: 'node', version: 'v20.20.2', own: true };
const newest = { path: 'node26', version: 'v26.10.0', own: false };
const short = { everyDepth: false, nodes: [own, newest] };

/** @param {string} id */
function row(id) {
  return /** @type {import('../matrix/rows.js').Row} */ (rows.find((one) => one.id === id));
}

describe('entrantsOf', () => {
  it('includes contenders that support the lifecycle', () => {
    const names = entrantsOf(row('http-stateless'), short).map(({ contender }) => contender);
    expect(names).toContain('official-2');
    expect(names).not.toContain('official-1');
  });

  it('includes contenders that support the workload', () => {
    const names = entrantsOf(row('http-list'), short).map(({ contender }) => contender);
    expect(names).toContain('tenon');
    expect(names).not.toContain('tenon-json');
  });

  it('runs only the floor and Tenon on another Node', () => {
    const there = entrantsOf(row('http-session'), short).filter(({ node }) => node === newest);
    expect(there.map(({ contender }) => contender)).toEqual(['floor', 'tenon']);
  });

  it('measures the floor and Tenon at every depth, and others at the deepest by default', () => {
    const depths = (/** @type {boolean} */ everyDepth) =>
      Object.fromEntries(
        entrantsOf(row('http-session'), { everyDepth, nodes: [own] }).map((one) => [
          one.contender,
          one.depths,
        ]),
      );
    expect(depths(false)).toMatchObject({ floor: [1, 16, 64], tenon: [1, 16, 64], 'official-2': [64] });
    expect(depths(true)).toMatchObject({ floor: [1, 16, 64], 'official-2': [1, 16, 64] });
  });

  it('includes Tenon and a floor in every row', () => {
    for (const one of rows) {
      const names = entrantsOf(one, short).map(({ contender }) => contender);
      expect(names, one.id).toEqual(expect.arrayContaining(['floor', 'tenon']));
    }
  });
});
