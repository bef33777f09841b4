import { describe, expect, it } from 'vitest';
import { clusterResultsOf } from './results.js';
import { clusterRows } from './rows.js';
import { clusterSheet } from './sheet.js';
import { clusterCell as cell } from './test/cells.js';

const [row = { title: '', about: '' }] = clusterRows;

/** @param {readonly import('./runner.js').ClusterCell[]} cells */
function linesOf(cells) {
  return clusterSheet(row, clusterResultsOf(cells)).lines.map((line) => line.map(({ text }) => text));
}

describe('clusterSheet', () => {
  it('shows times only of the process that counts as 1', () => {
    const { note, lines } = clusterSheet(row, clusterResultsOf([cell('tenon memory 1', [20])]));
    expect(note).toContain(
      '20.0 µs of CPU, 5000 requests a second, p50 1010 ms, p99 1980 ms on this machine',
    );
    expect(lines[0]?.[1]).toEqual({ text: '1.00 (1.00-1.00)' });
  });

  it('shows commands, targets and the comparison of peers', () => {
    const [, tenon, tmcp] = linesOf([
      cell('tenon memory 1', [20]),
      cell('tenon redis 1', [24], { target: 1.15, commands: 0.014 }),
      cell('tmcp redis 1', [120], { commands: 3 }),
    ]);
    expect(tenon?.slice(5)).toEqual(['0.01', '1.20 (1.20-1.20) over', '<= 1.15', '']);
    expect(tmcp?.slice(5)).toEqual(['3', '', '', '5.00 (5.00-5.00)']);
  });

  it('shows entrants without a figure, with the reason', () => {
    const failed = cell('tmcp redis 2', [], { error: 'status 500' });
    const { lines, voids } = clusterSheet(row, clusterResultsOf([cell('tenon memory 1', [20]), failed]));
    expect(lines[1]?.[1]).toEqual({ text: 'void', tone: 'bad' });
    expect(voids).toEqual(['tmcp, Redis, 2 processes: status 500']);
  });
});
