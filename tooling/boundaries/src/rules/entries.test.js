import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { format } from '../violation.js';
import { Workspace } from '../workspace.js';
import { chosenExports, internalEntries, oneMeaning } from './entries.js';

/** @type {string} */
let root;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'boundaries-entries-'));
  plant({
    'packages/protocol/package.json': manifest('@tenon/mcp-protocol', ['index', 'internal']),
    'packages/protocol/src/index.ts': "export type { Route } from './route.js';\n",
    'packages/protocol/src/internal.ts': "export { routeOf } from './route.js';\n",
    'packages/protocol/src/route.ts':
      'export interface Route {}\nexport const routeOf = (): Route => ({});\nexport class Hop {}\n',
    'packages/server/package.json': manifest('@tenon/mcp-server', ['index']),
    'packages/server/src/index.ts': "export type { Route } from '@tenon/mcp-protocol';\n",
  });
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

/** @param {Record<string, string>} files */
function plant(files) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

/**
 * @param {string} name
 * @param {string[]} entries
 */
function manifest(name, entries) {
  const exports = entries.map((entry) => [
    entry === 'index' ? '.' : `./${entry}`,
    { 'tenon-source': `./src/${entry}.ts` },
  ]);
  return JSON.stringify({ name, exports: Object.fromEntries(exports) });
}

/** @param {import('../violation.js').Rule} rule */
const linesOf = (rule) => rule(new Workspace(root)).map(format);

describe('chosenExports', () => {
  it('accepts the list of the types of messages', () => {
    plant({
      'packages/protocol/src/index.ts': "export type * from './message-types.js';\n",
      'packages/protocol/src/message-types.ts': "export type { Route } from './route.js';\n",
      'packages/server/src/index.ts': "export type * from '@tenon/mcp-protocol/types';\n",
    });
    expect(linesOf(chosenExports)).toEqual([]);
  });

  it.each(['export * from', 'export type * from'])('rejects an entry with %s', (statement) => {
    plant({
      'packages/protocol/src/index.ts': `export type { Route } from './route.js';\n${statement} './route.js';\n`,
    });
    expect(linesOf(chosenExports)).toEqual([
      expect.stringContaining(
        "packages/protocol/src/index.ts:2 export-star: an entry exports all of './route.js'",
      ),
    ]);
  });

  it('rejects an internal entry that exports all of a file', () => {
    plant({ 'packages/protocol/src/internal.ts': "export * from './route.js';\n" });
    expect(linesOf(chosenExports)).toHaveLength(1);
  });

  it('accepts an export of all names in other files', () => {
    plant({ 'packages/protocol/src/routes.ts': "export * from './route.js';\n" });
    expect(linesOf(chosenExports)).toEqual([]);
  });
});

describe('internalEntries', () => {
  const source = "import { routeOf } from '@tenon/mcp-protocol/internal';\n";

  it.each(['apps/demo/src/main.ts', 'examples/src/tour.ts', 'examples/src/tour.test.ts'])(
    'rejects an import of an internal entry in %s',
    (path) => {
      plant({ [path]: `\n${source}` });
      expect(linesOf(internalEntries)).toEqual([
        `${path}:2 internal-entry: '@tenon/mcp-protocol/internal' is not public; use a public entry, or make the name public`,
      ]);
    },
  );

  it.each(['README.md', 'docs/guide/servers/tools.md', 'packages/protocol/README.md'])(
    'rejects an import of an internal entry in %s',
    (path) => {
      plant({ [path]: `# Page\n\n\`\`\`ts\n${source}\`\`\`\n` });
      expect(linesOf(internalEntries)).toEqual([expect.stringContaining(`${path}:4 internal-entry:`)]);
    },
  );

  it('rejects an import of an internal entry in an extension, but not in its tests', () => {
    plant({
      'packages/tasks/src/server/worker.ts': source,
      'packages/tasks/src/server/worker.test.ts': source,
    });
    expect(linesOf(internalEntries)).toEqual([
      expect.stringContaining('packages/tasks/src/server/worker.ts:1 internal-entry:'),
    ]);
  });

  it('rejects a type imported from an internal entry', () => {
    plant({ 'apps/demo/src/main.ts': "type Route = import('@tenon/mcp-protocol/internal').Route;\n" });
    expect(linesOf(internalEntries)).toHaveLength(1);
  });

  it('accepts imports of internal entries in packages and tooling', () => {
    plant({ 'packages/server/src/routes.ts': source, 'tooling/acceptance/src/routes.test.ts': source });
    expect(linesOf(internalEntries)).toEqual([]);
  });

  it('accepts a page that names the entry without an import', () => {
    plant({
      'docs/internals/architecture.md': 'Packages share more through `@tenon/mcp-protocol/internal`.\n',
    });
    expect(linesOf(internalEntries)).toEqual([]);
  });
});

describe('oneMeaning', () => {
  it.each([
    ['a declaration of its own', 'export interface Route {}\n'],
    ['another declaration under that name', "export { Hop as Route } from './hop.js';\n"],
    ['an import under that name', "import { Hop as Route } from './hop.js';\nexport type { Route };\n"],
    ['all of a file that declares it', "export * from './hops.js';\n"],
  ])('rejects a name when one package exports %s', (_name, content) => {
    plant({
      'packages/server/src/index.ts': content,
      'packages/server/src/hop.ts': 'export class Hop {}\n',
      'packages/server/src/hops.ts': 'export const Route: number = 1;\n',
    });
    expect(linesOf(oneMeaning)).toEqual([
      expect.stringMatching(
        /^packages\/server\/src\/index\.ts:[12] one-meaning: 'Route' has another meaning in '@tenon\/mcp-protocol' \(packages\/protocol\/src\/route\.ts Route\)/,
      ),
    ]);
  });

  it('rejects a name of an internal entry with another meaning', () => {
    plant({ 'packages/server/src/index.ts': 'export const routeOf = (): number => 1;\n' });
    expect(linesOf(oneMeaning)).toEqual([expect.stringContaining("'routeOf' has another meaning")]);
  });

  it.each([
    ['by name', "export type { Route } from '@tenon/mcp-protocol';\n"],
    ['after an import', "import type { Route } from '@tenon/mcp-protocol';\nexport type { Route };\n"],
    ['through a file that exports all', "export type { Route } from './routes.js';\n"],
  ])('accepts one declaration that both packages export %s', (_name, content) => {
    plant({
      'packages/server/src/index.ts': content,
      'packages/server/src/routes.ts': "export type * from '@tenon/mcp-protocol';\n",
    });
    expect(linesOf(oneMeaning)).toEqual([]);
  });

  it('accepts the parts of extensions, which server and client export', () => {
    const source = 'export const serve = (): number => 1;\n';
    plant({
      'packages/client/package.json': manifest('@tenon/mcp-client', ['extension']),
      'packages/client/src/extension.ts': source,
      'packages/server/package.json': manifest('@tenon/mcp-server', ['extension']),
      'packages/server/src/extension.ts': source,
    });
    expect(linesOf(oneMeaning)).toEqual([]);
    plant({
      'packages/protocol/src/index.ts': source,
      'packages/protocol/src/internal.ts': "export { serve } from './route.js';\n",
    });
    expect(linesOf(oneMeaning)).toEqual([expect.stringContaining("'serve' has another meaning")]);
  });

  it('accepts the function of an extension at both ends, and no other name of its package', () => {
    plant({
      'packages/shelf/package.json': manifest('@tenon/mcp-shelf', ['client', 'server']),
      'packages/shelf/src/client.ts': 'export const shelf = (): number => 1;\nexport const book = 1;\n',
      'packages/shelf/src/server.ts': 'export const shelf = (): number => 2;\nexport const book = 2;\n',
    });
    expect(linesOf(oneMeaning)).toEqual([expect.stringContaining("'book' has another meaning")]);
  });
});
