import { describe, expect, it } from 'vitest';
import { resultsOf } from './results.js';
import { cell } from './test/cells.js';

describe('resultsOf', () => {
  it('divides by the floor of the same round, and takes the median', () => {
    const [, tenon] = resultsOf([cell('floor', [8, 20, 8]), cell('tenon', [10, 20, 16])]);
    expect(tenon).toMatchObject({
      cpu: { median: 1.25, low: 1, high: 2 },
      throughput: { median: 0.8, low: 0.5, high: 1 },
    });
  });

  it('compares Tenon with the target of the row', () => {
    const results = resultsOf([
      cell('floor', [10]),
      cell('tenon', [13]),
      cell('tenon-json', [13.1]),
      cell('tmcp', [50]),
    ]);
    expect(results.map(({ target, met }) => [target, met])).toEqual([
      [undefined, undefined],
      [1.3, true],
      [1.3, false],
      [undefined, undefined],
    ]);
  });

  it('compares a peer with Tenon in the same round', () => {
    const results = resultsOf([cell('floor', [1, 1]), cell('tenon', [2, 4]), cell('tmcp', [20, 20])]);
    expect(results[2]?.overTenon).toEqual({ median: 7.5, low: 5, high: 10 });
    expect(results[1]?.overTenon).toBeUndefined();
  });

  it('compares a host with the client in its process, and not with another process', () => {
    const host = cell('tenon-host', [30, 24]);
    for (const sample of host.samples) sample.beside = { count: sample.count, cpu: sample.count * 20, ms: 1 };
    const results = resultsOf([cell('floor', [1, 1]), cell('tenon', [10, 40]), host]);
    expect(results[2]?.overTenon).toEqual({ median: 1.35, low: 1.2, high: 1.5 });
  });

  it('divides by the floor on the same Node at the same depth, and judges on this Node only', () => {
    const results = resultsOf([
      cell('floor', [10]),
      cell('floor', [1], { depth: 1 }),
      cell('floor', [5], { newestNode: true }),
      cell('tenon', [20], { newestNode: true }),
    ]);
    expect(results[3]).toMatchObject({ node: 'v26.10.0', cpu: { median: 4 } });
    expect(results[3]?.met).toBeUndefined();
  });

  it('leaves out the figure when the contender or the floor failed', () => {
    const [failed] = resultsOf([cell('tmcp', [], { error: 'status 500' }), cell('floor', [10])]);
    expect(failed).toMatchObject({ error: 'status 500' });
    expect(failed?.cpu).toBeUndefined();
    const [, orphan] = resultsOf([cell('floor', [], { error: 'away' }), cell('tenon', [10])]);
    expect(orphan?.error).toBe('its floor is void: away');
    expect(orphan?.met).toBeUndefined();
    const [tenon] = resultsOf([cell('tenon', [10]), cell('tmcp', [1], { error: 'away' })]);
    expect(tenon?.error).toBe('its floor was not measured');
  });

  it('leaves out the comparison with Tenon when Tenon failed', () => {
    const cells = [cell('floor', [1]), cell('tenon', [2], { error: 'away' }), cell('tmcp', [3])];
    expect(resultsOf(cells)[2]?.overTenon).toBeUndefined();
  });
});
