import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const root = new URL('../../../', import.meta.url);
const pages = [
  'README.md',
  'docs/http.md',
  'docs/testing.md',
  'docs/safety.md',
  'docs/showing.md',
  'docs/servers.md',
  'docs/clients.md',
  'docs/extensions.md',
  'docs/migration.md',
  'docs/authorization.md',
  'packages/server/README.md',
  'packages/client/README.md',
  'packages/testing/README.md',
  'packages/auth/README.md',
  'packages/transport-http/README.md',
];

/** Code blocks of a page, with the comment that says which example they are taken from. */
function snippetsOf(page: string): { readonly from: string | undefined; readonly code: string }[] {
  const text = readFileSync(new URL(page, root), 'utf8');
  const blocks = text.matchAll(/(?:<!-- from (\S+) -->\n)?```ts\n([\s\S]*?)\n```/g);
  return [...blocks].map(([, from, code = '']) => ({ from, code }));
}

/** A marked region of an example, without the indentation of its mark. */
function regionOf(from: string): string {
  const [path = '', name] = from.split('#');
  const lines = readFileSync(new URL(path, root), 'utf8').split('\n');
  const start = lines.findIndex((line) => line.trim() === `// #region ${name}`);
  const end = lines.findIndex((line, index) => index > start && line.trim() === '// #endregion');
  expect(start, `${from} is no region`).toBeGreaterThanOrEqual(0);
  const indent = /^\s*/.exec(lines[start] ?? '')?.[0] ?? '';
  const body = lines
    .slice(start + 1, end)
    .map((line) => line.slice(line.startsWith(indent) ? indent.length : 0));
  return body.join('\n');
}

/** What the headings of a page are called in links. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

const linked = [...pages, 'docs/README.md', 'docs/limits.md', 'docs/errors.md', 'examples/README.md'];

test.each(linked)('%s links to what is there', (page) => {
  const text = readFileSync(new URL(page, root), 'utf8');
  for (const [, path = '', anchor] of text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)) {
    const target = path === '' ? new URL(page, root) : new URL(path, new URL(page, root));
    expect(existsSync(target), `${page} links to ${path}`).toBe(true);
    if (anchor !== undefined)
      expect(anchorsOf(readFileSync(target, 'utf8')), `${path}#${anchor}`).toContain(anchor);
  }
});

test('examples/README.md lists every example', () => {
  const text = readFileSync(new URL('examples/README.md', root), 'utf8');
  const programs = readdirSync(new URL('examples/src/', root), { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== 'weather-station.ts');
  expect(programs.filter((file) => !text.includes(`(src/${file})`))).toEqual([]);
});

describe.each(pages)('%s', (page) => {
  test('has snippets', () => expect(snippetsOf(page).length).toBeGreaterThan(0));

  test.each(snippetsOf(page).map((snippet, index) => [index + 1, snippet] as const))(
    'snippet %i is taken from an example that compiles',
    (_, { from, code }) => {
      expect(
        from,
        `say which example this is from: <!-- from examples/src/x.ts#region -->\n${code}`,
      ).toBeDefined();
      expect(code).toBe(regionOf(from ?? ''));
    },
  );
});
