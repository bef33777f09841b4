import { describe, expect, it } from 'vitest';
import { verdictsOf } from './verdicts.js';

/**
 * @param {Record<string, number>} measured
 * @param {Record<string, number>} budget
 * @param {string} [node]
 */
function judged(measured, budget, node = '20.20.2') {
  const figures = { counts: measured, functions: {}, packages: {}, callers: {}, allocators: {} };
  const verdicts = verdictsOf('run', figures, { budgets: { node: '20.18.1', runs: { run: budget } }, node });
  const asked = verdicts.filter(({ count }) => Object.hasOwn(measured, count.id));
  return Object.fromEntries(asked.map(({ count, verdict }) => [count.id, verdict]));
}

describe('verdictsOf', () => {
  it('compares calls of built-ins to two decimals', () => {
    expect(judged({ parse: 1 }, { parse: 1 })).toEqual({ parse: 'held' });
    expect(judged({ parse: 1.01 }, { parse: 1 })).toEqual({ parse: 'over' });
    expect(judged({ parse: 0 }, { parse: 1 })).toEqual({ parse: 'lower' });
    expect(judged({ errors: 1 }, { errors: 0 })).toEqual({ errors: 'over' });
  });

  it('tolerates a share of the budget for functions and bytes', () => {
    expect(judged({ calls: 102, allocated: 1030 }, { calls: 100, allocated: 1000 })).toEqual({
      calls: 'held',
      allocated: 'held',
    });
    expect(judged({ calls: 103, allocated: 1031 }, { calls: 100, allocated: 1000 })).toEqual({
      calls: 'over',
      allocated: 'over',
    });
    expect(judged({ calls: 97 }, { calls: 100 })).toEqual({ calls: 'lower' });
  });

  it('tolerates a few more bytes kept, and treats a negative budget as zero', () => {
    expect(judged({ kept: 24 }, { kept: -400 })).toEqual({ kept: 'held' });
    expect(judged({ kept: 25 }, { kept: -400 })).toEqual({ kept: 'over' });
    expect(judged({ kept: -424 }, { kept: -400 })).toEqual({ kept: 'held' });
    expect(judged({ kept: 1_060 }, { kept: 1_000 })).toEqual({ kept: 'held' });
    expect(judged({ kept: 1_061 }, { kept: 1_000 })).toEqual({ kept: 'over' });
  });

  it('compares counts that depend on the engine only on one major version of Node', () => {
    const measured = { calls: 100, allocated: 9000, kept: 500, promises: 9 };
    const budget = { calls: 100, allocated: 1000, kept: 0, promises: 1 };
    const other = { calls: 'held', allocated: 'other-node', kept: 'other-node', promises: 'other-node' };
    expect(judged(measured, budget, '24.0.0')).toEqual(other);
    expect(judged(measured, budget)).toMatchObject({ allocated: 'over', kept: 'over', promises: 'over' });
  });

  it('reports calls of Node functions without a verdict, and reports a missing budget', () => {
    expect(judged({ nodeCalls: 900 }, { nodeCalls: 1 })).toEqual({ nodeCalls: 'reported' });
    expect(judged({ parse: 0 }, {})).toEqual({ parse: 'missing' });
  });
});
