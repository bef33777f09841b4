import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { markdownOf } from './doc-comment.js';
import { optionsPage } from './options.js';
import { namePages } from './pages.js';

/** @type {string} */
let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'api-pages-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/**
 * @param {string} name
 * @param {string} text of its declarations
 * @returns {import('./pages.js').Pack}
 */
function pack(name, text) {
  const file = join(folder, `${name}.d.ts`);
  writeFileSync(file, text);
  return {
    name,
    description: `The ${name}`,
    folder,
    manifest: { exports: { '.': { types: `${name}.d.ts` } } },
    entries: [{ name, page: `${name}.md`, file }],
  };
}

it('describes a declaration once, with its comments, and links to it from other pages and types', () => {
  const pages = namePages([
    pack(
      'model',
      '/** A tool. */\nexport interface Tool {\n    /** Unique. */\n    readonly name: string;\n}\n',
    ),
    pack(
      'server',
      "import type { Tool } from 'model';\nexport type { Tool } from 'model';\n/**\n * Finds a {@link Tool}.\n * @param name - as listed.\n */\nexport declare function find(name: string): Tool;\n",
    ),
  ]);
  expect(pages.get('model.md')).toContain(
    '### Tool {#Tool}\n\nA tool.\n\n```ts\ninterface Tool {\n    /** Unique. */',
  );
  expect(pages.get('server.md')).toContain(
    '### find {#find}\n\nFinds a [`Tool`](model.md#Tool).\n\n- `name`: as listed.\n\n```ts\nfunction find(name: string): Tool;\n```\n\nTypes: [`Tool`](model.md#Tool)',
  );
  expect(pages.get('server.md')).toContain('## Exported here as well\n\n[`Tool`](model.md#Tool)');
  expect(pages.get('server.md')).not.toContain('### Tool');
  expect(pages.get('server.md')).toMatch(/^# server\n\nThe server\.\n/);
});

it('escapes what a page would take for a tag or an expression, except in code', () => {
  expect(markdownOf('Reads <name> of {{x}}, not `<b>`.', () => undefined)).toBe(
    'Reads &lt;name> of &#123;&#123;x}}, not `<b>`.',
  );
});

it('lists the options of an interface, each with its own comment or that of its type', () => {
  const source = `interface Options extends Others {
    /** Milliseconds. Default 100. */
    readonly timeout?: number;
    readonly rates?: Rates;
    readonly limits?: Partial<Limits>;
    /** Hears of \`a | b\`. */
    onEvent?(event: string): void;
}`;
  const docOf = (/** @type {string} */ name) => (name === 'Rates' ? 'How often. And more.' : '');
  const page = optionsPage(
    () => ({ source, link: (name) => `pack.md#${name}`, docOf }),
    [['make(options)', 'pack', 'Options']],
  );
  expect(page).toContain(`## make(options)

[\`Options\`](pack.md#Options) of \`pack\`.

| option | what it does |
|---|---|
| \`timeout\`<br>\`number\` | Milliseconds. Default 100. |
| \`rates\`<br>\`Rates\` | How often. |
| \`limits\`<br>\`Partial<Limits>\` | See [Limits](../limits.md). |
| \`onEvent\`<br>function | Hears of \`a \\| b\`. |
`);
});
