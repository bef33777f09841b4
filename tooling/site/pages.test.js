import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { anchorOf } from './anchor.js';
import { fenceProblems } from './fences.js';
import { areasOfSite } from './sidebar.js';
import { filled, pages, readPage, snippetsOf } from './snippets.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Pages that take all their programs from examples; other pages may hold sketches. */
const held = /^README|^docs\/(README|guide|recipes|reference)|^packages\/(server|client|auth|testing)\//;

/** Characters of the Markdown of one cell, links included. */
const longestCell = 350;

describe.each(pages())('%s', (page) => {
  const text = readPage(page);

  test('links to files and headings that exist', () => {
    for (const [, path = '', anchor] of text.matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)) {
      const target = path === '' ? page : join(dirname(page), path);
      if (page.startsWith('packages/'))
        expect(target.startsWith(dirname(page)), `${path} is not in the tarball`).toBe(true);
      expect(existsSync(join(root, target)), `${page} links to ${path}`).toBe(true);
      expect(target, 'is generated, and is not in the repository: link to api/').not.toMatch(
        /^docs\/reference\/api/,
      );
      if (anchor !== undefined) expect(anchorsOf(readPage(target)), `${path}#${anchor}`).toContain(anchor);
    }
  });

  test('links from a name to the report that has the name', () => {
    for (const [, name = '', path = ''] of text.matchAll(/\[`(\w+)`\]\((\S+\.api\.md)\)/g)) {
      expect(readPage(join(dirname(page), path)), path).toMatch(new RegExp(`\\b${name}\\b`));
    }
  });

  test('has tables with cells of a size that can be read', () => {
    if (!held.test(page)) return;
    const cells = text.split('\n').flatMap((line) => (line.startsWith('| ') ? line.split(' | ') : []));
    expect(cells.filter((cell) => cell.length > longestCell)).toEqual([]);
  });

  test('closes each block of code', () => {
    expect(fenceProblems(text)).toEqual([]);
  });

  test('shows programs as they are in the examples', () => {
    expect(text).toBe(filled(text));
    if (!held.test(page)) return;
    for (const { from, code } of snippetsOf(text)) {
      expect(
        from,
        `say which example this is from: <!-- from examples/src/x.ts#region -->\n${code}`,
      ).toBeDefined();
    }
  });
});

test('the sidebar has every page of the guide', () => {
  const shown = areasOfSite()['/guide/']?.flatMap(({ pages }) => pages.map((page) => `docs/${page}.md`));
  expect(pages().filter((page) => page.startsWith('docs/guide/') && !shown?.includes(page))).toEqual([]);
});

test('examples/README.md lists every example', () => {
  const text = readPage('examples/README.md');
  const programs = readdirSync(join(root, 'examples/src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    // Parts of programs.
    .filter((file) => file !== 'getting-started/weather-station.ts')
    .filter((file) => !file.startsWith('authorization/pages/'));
  expect(programs.filter((file) => !text.includes(`(src/${file})`))).toEqual([]);
});

/** @param {string} text */
function anchorsOf(text) {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => anchorOf(title));
}
