import { describe, expect, it } from 'vitest';
import { clusterResultsOf } from './results.js';
import { clusterCell as cell } from './test/cells.js';

/**
 * @param {readonly import('./runner.js').ClusterCell[]} cells
 * @param {string} label
 */
function resultOf(cells, label) {
  const result = clusterResultsOf(cells).find((one) => one.label === label);
  if (result === undefined) throw new Error(`No result is of ${label}.`);
  return result;
}

const one = cell('tenon memory 1', [20, 40]);

describe('clusterResultsOf', () => {
  it('compares figures with one process of the same round', () => {
    const { cpu, throughput, p50, p99 } = resultOf(
      [one, cell('tenon redis 2', [30, 80])],
      'Tenon, Redis, 2 processes',
    );
    expect(cpu).toEqual({ median: 1.75, low: 1.5, high: 2 });
    expect(throughput?.high).toBeCloseTo(20 / 30);
    for (const latency of [p50, p99]) expect(latency?.median).toBeCloseTo(1.75);
  });

  it('compares Redis with as many processes with state in memory, and judges by it', () => {
    const cells = [
      one,
      cell('tenon memory 4', [40, 80]),
      cell('tenon redis 1', [20, 40], { target: 1.15 }),
      cell('tenon redis 4', [48, 96], { target: 1.15 }),
    ];
    expect(resultOf(cells, 'Tenon, Redis, 1 process')).toMatchObject({
      overMemory: { median: 1 },
      target: 1.15,
      met: true,
    });
    expect(resultOf(cells, 'Tenon, Redis, 4 processes')).toMatchObject({
      overMemory: { median: 1.2 },
      met: false,
    });
    expect(resultOf(cells, 'Tenon, memory, 4 processes')).not.toHaveProperty('overMemory');
  });

  it('compares a peer with Tenon in as many processes', () => {
    const cells = [
      one,
      cell('tenon redis 2', [50, 50]),
      cell('tmcp redis 2', [200, 300]),
      cell('tmcp redis 4', [9, 9]),
    ];
    expect(resultOf(cells, 'tmcp, Redis, 2 processes').overTenon).toEqual({ median: 5, low: 4, high: 6 });
    expect(resultOf(cells, 'tmcp, Redis, 4 processes')).not.toHaveProperty('overTenon');
  });

  it('returns commands of Redis per request, and times of this machine', () => {
    const { commands, absolute } = resultOf(
      [one, cell('tmcp redis 1', [100, 100], { commands: 3 })],
      'tmcp, Redis, 1 process',
    );
    expect(commands).toEqual({ median: 3, low: 3, high: 3 });
    expect(absolute?.cpu).toBe(100);
    expect(absolute?.perSecond).toBe(1_000);
    expect(absolute?.p50).toBeCloseTo(5_050);
    expect(absolute?.p99).toBeCloseTo(9_901);
  });

  it('returns the error of an entrant, and of all if one process has no figure', () => {
    const failed = cell('tmcp redis 1', [], { error: 'status 500' });
    expect(resultOf([one, failed], 'tmcp, Redis, 1 process').error).toBe('status 500');
    const cells = [cell('tenon memory 1', [], { error: 'gone' }), cell('floor none 1', [10])];
    expect(resultOf(cells, 'floor, 1 process').error).toBe('one process is void: gone');
  });
});
