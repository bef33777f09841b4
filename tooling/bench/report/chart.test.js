import { describe, expect, it } from 'vitest';
import { chartOf } from './chart.js';
import { panelsOf, twoColumns } from './chart-panels.js';
import { resultsOf } from './results.js';
import { cell } from './test/cells.js';

const results = resultsOf([
  cell('floor', [10], { depth: 1 }),
  cell('floor', [10]),
  cell('tenon', [13], { depth: 1 }),
  cell('tenon', [11]),
  cell('tenon-json', [9]),
  cell('tmcp', [60]),
  cell('fastmcp', [], { error: 'status 500' }),
  cell('floor', [10], { newestNode: true }),
  cell('tenon', [20], { newestNode: true }),
]);

describe('panelsOf', () => {
  it('shows the deepest cells of this Node, without the floor and cells without a figure', () => {
    expect(panelsOf(results)).toEqual([
      {
        title: 'Call in a session, 64 in flight',
        bars: [
          { label: 'Tenon', ratio: 1.1, kind: 'tenon' },
          { label: 'Tenon, JSON Schema', ratio: 0.9, kind: 'tenon-other' },
          { label: 'tmcp', ratio: 6, kind: 'peer' },
        ],
      },
    ]);
  });
});

describe('twoColumns', () => {
  it('splits panels in order, at about half the height', () => {
    const panels = ['a', 'b', 'c', 'd'].map((title) => ({ title, bars: [] }));
    const heights = { a: 3, b: 3, c: 2, d: 4 };
    const height = (/** @type {{ title: string }} */ { title }) => heights[/** @type {'a'} */ (title)];
    const columns = twoColumns(panels, height).map((column) => column.map(({ title }) => title));
    expect(columns).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });
});

describe('chartOf', () => {
  const svg = chartOf(results, 'Node v20.20.2 · <machine> & more');

  it('labels every bar with its number', () => {
    for (const text of ['1.10', '0.90', '6.00']) expect(svg).toContain(`>${text}</text>`);
  });

  it('includes a description for screen readers', () => {
    expect(svg).toMatch(/role="img" aria-labelledby="title desc"/);
    expect(svg).toContain('Call in a session, 64 in flight: Tenon 1.10; Tenon, JSON Schema 0.90; tmcp 6.00.');
  });

  it('draws bars above 1 to the right of the floor, and bars below 1 to its left', () => {
    const floor = Number(/class="floor" x1="([\d.]+)"/.exec(svg)?.[1]);
    const bar = (/** @type {string} */ kind) => {
      const [, x, width] =
        new RegExp(`rect class="${kind}" x="([\\d.]+)" y="\\d+" width="([\\d.]+)"`).exec(svg) ?? [];
      return { from: Number(x), to: Number(x) + Number(width) };
    };
    expect(bar('peer').from).toBeCloseTo(floor, 0);
    expect(bar('peer').to).toBeGreaterThan(floor);
    expect(bar('tenon-other').to).toBeCloseTo(floor, 0);
  });

  it('escapes text for SVG', () => {
    expect(svg).toContain('&lt;machine&gt; &amp; more');
    expect(svg).not.toContain('<machine>');
  });
});
