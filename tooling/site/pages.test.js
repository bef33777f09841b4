import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { anchorOf } from './anchor.js';
import { filled, pages, readPage, snippetsOf } from './snippets.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Pages that take all their programs from examples; other pages may hold sketches. */
const held = /^README|^docs\/(README|guide|recipes|reference)|^packages\/(server|client|auth|testing)\//;

describe.each(pages())('%s', (page) => {
  const text = readPage(page);

  test('links to files and headings that exist', () => {
    for (const [, path = '', anchor] of text.matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)) {
      const target = path === '' ? page : join(dirname(page), path);
      if (page.startsWith('packages/'))
        expect(target.startsWith(dirname(page)), `${path} is not in the tarball`).toBe(true);
      if (target.startsWith('docs/reference/api')) continue; // generated; the build of the site checks these links
      expect(existsSync(join(root, target)), `${page} links to ${path}`).toBe(true);
      if (anchor !== undefined) expect(anchorsOf(readPage(target)), `${path}#${anchor}`).toContain(anchor);
    }
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

test('examples/README.md lists every example', () => {
  const text = readPage('examples/README.md');
  const programs = readdirSync(join(root, 'examples/src'), { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== 'getting-started/weather-station.ts',
  );
  expect(programs.filter((file) => !text.includes(`(src/${file})`))).toEqual([]);
});

/** @param {string} text */
function anchorsOf(text) {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => anchorOf(title));
}
