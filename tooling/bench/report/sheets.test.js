import { describe, expect, it } from 'vitest';
import { rows } from '../matrix/rows.js';
import { resultsOf } from './results.js';
import { footprintSheet, rowSheet } from './sheets.js';
import { markdownTable, paintFor, textTable } from './table.js';
import { cell } from './test/cells.js';

const row = /** @type {import('../matrix/rows.js').Row} */ (rows.find(({ id }) => id === 'http-session'));
const sheet = rowSheet(
  row,
  resultsOf([
    cell('floor', [10, 10], { depth: 1 }),
    cell('floor', [10, 10]),
    cell('tenon', [12, 12], { depth: 1 }),
    cell('tenon', [14, 14]),
    cell('tmcp', [126, 140]),
    cell('fastmcp', [], { error: 'status 500' }),
    cell('floor', [5], { newestNode: true }),
    cell('tenon', [6], { newestNode: true }),
  ]),
);

describe('rowSheet', () => {
  it('returns a column for each depth, the newest Node beside them', () => {
    expect(sheet.heads).toEqual([
      '',
      '1 in flight',
      '64 in flight',
      'Node 26, 64',
      'target',
      'throughput at 1 / 64',
      "times Tenon's CPU",
    ]);
  });

  it('returns a line for each contender', () => {
    const texts = sheet.lines.map((line) => line.map(({ text }) => text));
    expect(texts).toEqual([
      ['floor', '1', '1', '1', '', '1 / 1', ''],
      ['Tenon', '1.20 (1.20-1.20)', '1.40 (1.40-1.40) over', '1.20 (1.20-1.20)', '<= 1.3', '0.83 / 0.71', ''],
      ['tmcp', '', '13.3 (12.6-14.0)', '', '', '- / 0.075', '9.50 (9.00-10.0)'],
      ['FastMCP', '', 'void', '', '', '- / -', ''],
    ]);
  });

  it('gives the reason for a missing figure', () => {
    expect(sheet.voids).toEqual(['FastMCP, 64 in flight, Node 20: status 500']);
  });
});

describe('footprintSheet', () => {
  it('shows figures in their unit', () => {
    const base = /** @type {const} */ ({ id: 'bundle', title: 'Bundle', unit: 'bytes', better: 'lower' });
    const { lines, voids } = footprintSheet([
      { ...base, contender: 'tenon', label: 'Tenon', value: 21_000, target: 20_480, met: false },
      { ...base, contender: 'tmcp', label: 'tmcp', value: Number.NaN, error: 'away', note: 'with zod' },
    ]);
    expect(lines.map((line) => line.map(({ text }) => text))).toEqual([
      ['Tenon', '20.5 KiB over', '', '<= 20.0 KiB', ''],
      ['tmcp', 'void', '', '', 'with zod'],
    ]);
    expect(voids).toEqual(['tmcp: away']);
  });

  it('prints a remark on all contenders once', () => {
    const base = /** @type {const} */ ({
      id: 'start',
      title: 'Start',
      unit: 'ms',
      better: 'lower',
      note: 'of 15 starts',
    });
    const { note, lines } = footprintSheet([
      { ...base, contender: 'tenon', label: 'Tenon', value: 40, spread: [38, 44] },
      { ...base, contender: 'tmcp', label: 'tmcp', value: 80 },
    ]);
    expect(note).toBe('Lower is better; of 15 starts.');
    expect(lines[0]?.map(({ text }) => text)).toEqual(['Tenon', '40.0 ms', '38.0 ms - 44.0 ms', '', '']);
  });
});

describe('textTable', () => {
  it('aligns columns', () => {
    const lines = textTable(sheet, paintFor(false)).split('\n');
    const [heads = '', floor = ''] = lines.slice(2);
    expect(floor.indexOf('1 / 1')).toBe(heads.indexOf('throughput'));
  });

  it('uses colours only on a terminal', () => {
    expect(textTable(sheet, paintFor(true))).toContain('\u001b[31m');
    expect(textTable(sheet, paintFor(false))).not.toContain('\u001b');
  });
});

describe('markdownTable', () => {
  it('returns a Markdown table', () => {
    const lines = markdownTable(sheet).split('\n');
    expect(lines[0]).toBe('### Call in a session');
    expect(lines).toContain('|---|---|---|---|---|---|---|');
    expect(lines).toContain(
      '| Tenon | 1.20 (1.20-1.20) | 1.40 (1.40-1.40) over | 1.20 (1.20-1.20) | &lt;= 1.3 | 0.83 / 0.71 |  |',
    );
  });
});
