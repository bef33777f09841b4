import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listOf, writeLlmsFiles } from './llms.js';
import { areasOfSite } from './sidebar.js';

/** @type {Record<string, string>} */
const texts = {
  README: '# Tenon\n\nA framework for the [protocol](https://a.example). Write a tool once.\n',
  'guide/first': '# First\n\nAt the end of this page\nyou have a server. You need Node.\n',
  'guide/list': '# List\n\n| a | b |\n|---|---|\n',
  'recipes/README': '# Recipes\n\nEach is a program.\n',
  'internals/parts': '# Parts\n\nThe parts are:\n',
};
const areas = {
  '/guide/': [{ text: 'Servers', pages: ['guide/first', 'guide/list'] }],
  '/recipes/': [{ text: 'Recipes', pages: ['recipes/README'] }],
  '/internals/': [{ text: 'Internals', pages: ['internals/parts'] }],
};

it('lists pages by group with their first sentence, and those about the source as optional', () => {
  const list = listOf({ read: (page) => texts[page] ?? '', areas, base: '/tenon/' });
  expect(list).toBe(`# Tenon

> A framework for the protocol.

## Servers

- [First](/tenon/guide/first.md): At the end of this page you have a server.
- [List](/tenon/guide/list.md)

## Recipes

- [Recipes](/tenon/recipes/index.md): Each is a program.

## Optional

- [Parts](/tenon/internals/parts.md): The parts are.
`);
});

/** @type {string} */
let dist;

beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), 'site-llms-'));
});

afterEach(() => rmSync(dist, { recursive: true, force: true }));

it('writes each page that it lists as Markdown', () => {
  const docs = fileURLToPath(new URL('../../docs', import.meta.url));
  const guide = { '/guide/': areasOfSite()['/guide/'] ?? [] };
  writeLlmsFiles({ docs, dist, areas: guide });
  const links = [...readFileSync(join(dist, 'llms.txt'), 'utf8').matchAll(/\]\(\/(\S+\.md)\)/g)];
  expect(links.length).toBeGreaterThan(50);
  for (const [, file = ''] of links) expect(readFileSync(join(dist, file), 'utf8')).toMatch(/^# /m);
  expect(readFileSync(join(dist, 'llms-full.txt'), 'utf8')).toContain('# Your first server');
});
