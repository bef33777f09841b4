import { describe, expect, it } from 'vitest';
import { aboutThis } from './about.js';
import { benchPage, readmeSection } from './pages.js';

const given = { command: 'pnpm bench', busy: 0, pinned: true, rounds: 3, profiled: false, newest: undefined };
const quiet = aboutThis(given);
const busy = aboutThis({ ...given, busy: 0.5 });

describe('readmeSection', () => {
  it('shows the chart with date, Node, machine and command', () => {
    const text = readmeSection(quiet);
    expect(text).toContain('(docs/bench/bench.svg)');
    for (const part of [quiet.node, quiet.machine, quiet.date, 'pnpm bench']) expect(text).toContain(part);
  });

  it('shows conditions that distort the figures', () => {
    expect(readmeSection(quiet)).not.toContain('BUSY');
    expect(readmeSection(busy)).toContain('BUSY: other programs took up to 50 % of the cores');
  });
});

describe('benchPage', () => {
  it('contains verdicts, tables and conditions that distort the figures', () => {
    const sheet = {
      title: 'A row',
      note: 'A note.',
      heads: ['', 'now'],
      lines: [[{ text: 'Tenon' }, { text: '1.10' }]],
      voids: [],
    };
    const page = benchPage(busy, [sheet], ['ok: every target is met']);
    expect(page).toContain('- ok: every target is met');
    expect(page).toContain('| Tenon | 1.10 |');
    expect(page).toContain('BUSY');
  });
});
