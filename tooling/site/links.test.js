import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { brokenLinks } from './links.js';

/** @type {string} */
let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'site-links-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** @param {Record<string, string>} files */
function plant(files) {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

it('accepts links to pages, to headings of this page and of others, and to other sites', () => {
  plant({
    'index.html':
      '<h1 id="top">x</h1><a class="a" href="#top">x</a><a href="/guide/">x</a><a href="https://a.example/#b">x</a>',
    'guide/index.html':
      '<h2 id="größe">x</h2><a href="../index.html#top">x</a><a href="./index.html#gr%C3%B6%C3%9Fe">x</a>',
  });
  expect(brokenLinks(folder)).toEqual([]);
});

it('reports links to pages and headings that do not exist', () => {
  plant({
    'index.html': '<a href="/guide/gone.html">x</a><a href="/guide/#gone">x</a>',
    'guide/index.html': '<h2 id="here">x</h2><a href="#there">x</a>',
  });
  expect(brokenLinks(folder).sort()).toEqual([
    'guide/index.html: #there leads to no heading',
    'index.html: /guide/#gone leads to no heading',
    'index.html: /guide/gone.html leads to no file',
  ]);
});

it('reads links from the path that the site is served under', () => {
  plant({ 'index.html': '<a href="/tenon/index.html">x</a><a href="/tenon/gone.html">x</a>' });
  expect(brokenLinks(folder, '/tenon/')).toEqual(['index.html: /tenon/gone.html leads to no file']);
});
