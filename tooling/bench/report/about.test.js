import { describe, expect, it } from 'vitest';
import { aboutLines, aboutThis, captionOf } from './about.js';

const given = {
  command: 'pnpm bench',
  busy: 0,
  pinned: true,
  rounds: 3,
  profiled: false,
  newest: 'v26.10.0',
};

describe('aboutThis', () => {
  it('reads the versions of the installed packages', () => {
    const { versions, node } = aboutThis(given);
    expect(node).toBe(process.version);
    expect(Object.keys(versions)).toEqual(
      expect.arrayContaining(['undici', '@tenon/mcp-server', '@tenon/mcp-state-redis', 'tmcp']),
    );
  });
});

describe('aboutLines', () => {
  const text = (/** @type {Partial<typeof given>} */ changed) =>
    aboutLines(aboutThis({ ...given, ...changed })).join('\n');

  it('warns only of conditions that distort the figures', () => {
    expect(text({})).not.toMatch(/NOT PINNED|BUSY|PROFILED/);
    expect(text({ pinned: false })).toContain('NOT PINNED');
    expect(text({ busy: 0.4 })).toContain('BUSY: other programs took up to 40 % of the cores');
    expect(text({ profiled: true })).toContain('PROFILED');
  });

  it('mentions that the newest Node is missing', () => {
    const { newest: _, ...rest } = given;
    expect(aboutLines(aboutThis({ ...rest, newest: undefined }))[0]).toContain(
      'not installed for this platform',
    );
  });
});

describe('captionOf', () => {
  it('names Node, machine, date and command', () => {
    const about = { ...aboutThis(given), machine: 'a machine', date: '2026-11-20' };
    expect(captionOf(about)).toBe(
      `Node ${process.version} · a machine · 2026-11-20 · medians of 3 rounds · pnpm bench`,
    );
  });
});
