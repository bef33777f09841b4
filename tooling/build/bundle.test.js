import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundle } from './bundle.js';

/** @type {string} */
let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-bundle-'));
  plant({ 'package.json': '{ "type": "module" }' });
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('an internal entry', () => {
  const sources = {
    'src/index.ts': "export { Fault } from './fault.js';\n",
    'src/internal.ts': "export { isFault } from './is-fault.js';\n",
    'src/fault.ts': 'export class Fault extends Error {}\n',
    'src/is-fault.ts':
      "import { Fault } from './fault.js';\nexport const isFault = (value: unknown) => value instanceof Fault;\n",
  };

  it('contains the code of the public entry too, in one file', async () => {
    plant(sources);
    await build(['index', 'internal']);
    expect(codeFiles()).toEqual(['index.js', 'internal.js']);
    expect(importsOf('internal.js')).toEqual([]);
    expect(importsOf('index.js')).toEqual(['./internal.js']);
    const [shared, open] = [await load('internal.js'), await load('index.js')];
    expect(shared.isFault(new open.Fault())).toBe(true);
  });

  it('adds no name to the public entry', async () => {
    plant(sources);
    await build(['index', 'internal']);
    expect(Object.keys(await load('index.js'))).toEqual(['Fault']);
  });

  it('maps its lines to the sources', async () => {
    plant(sources);
    await build(['index', 'internal']);
    const lines = read('dist/internal.js').split('\n');
    const line = lines.findIndex((text) => text.includes('instanceof'));
    const map = new SourceMap(JSON.parse(read('dist/internal.js.map')));
    const entry = map.findEntry(line, lines[line]?.indexOf('instanceof') ?? 0);
    expect(entry).toMatchObject({ originalSource: '../src/is-fault.ts', originalLine: 1 });
  });

  it('is not built when it has another value under a name of the public entry', async () => {
    plant({ ...sources, 'src/internal.ts': "export { isFault as Fault } from './is-fault.js';\n" });
    await expect(build(['index', 'internal'])).rejects.toThrow(
      /Two entries gathered in .*internal\.js export Fault/,
    );
  });
});

describe('code that several entries load', () => {
  const sources = {
    'src/index.ts':
      "export { greet } from './greet.js';\nexport const later = async () => (await import('./later.js')).shout('a');\n",
    'src/later.ts':
      "import { greet } from './greet.js';\nexport const shout = (name: string) => greet(name) + '!';\n",
    'src/other.ts': "import { polite } from './polite.js';\nexport const other = polite('other');\n",
    'src/greet.ts':
      "import { polite } from './polite.js';\nexport const greet = (name: string) => polite(name);\n",
    'src/polite.ts': "export const polite = (name: string) => 'Dear ' + name;\n",
  };

  it('is in the file of the entry that gathers it', async () => {
    plant(sources);
    await build(['index', 'other'], ['.']);
    expect(importsOf('index.js')).toEqual([]);
    expect(importsOf('other.js')).toEqual(['./index.js']);
    expect(JSON.parse(read('dist/other.js.map')).sources).toEqual(['./index.js', '../src/other.ts']);
    expect(Object.keys(await load('index.js'))).toEqual(['$greet', '$polite', 'greet', 'later']);
    expect(await load('other.js')).toMatchObject({ other: 'Dear other' });
    expect(await (await load('index.js')).later()).toBe('Dear a!');
  });

  it('stays in a chunk when no entry gathers it', async () => {
    plant(sources);
    await build(['index', 'other']);
    for (const name of ['index.js', 'other.js'])
      expect(importsOf(name)).toEqual([expect.stringMatching(/^\.\/chunk-\w+\.js$/)]);
    expect(await (await load('index.js')).later()).toBe('Dear a!');
  });

  it('stays in a chunk when two entries gather it', async () => {
    plant(sources);
    await build(['index', 'other'], ['.', './other']);
    expect(importsOf('index.js')).toEqual([expect.stringMatching(/^\.\/chunk-\w+\.js$/)]);
    expect(importsOf('other.js')).toEqual(importsOf('index.js'));
    expect(await (await load('index.js')).later()).toBe('Dear a!');
  });

  it('is not gathered in an entry that the package does not have', async () => {
    plant(sources);
    await expect(build(['index'], ['./server'])).rejects.toThrow('has no entry ./server');
  });
});

it('keeps a program that exports nothing', async () => {
  plant({
    'src/index.ts': "import { name } from './name.js';\nconsole.info(name);\n",
    'src/name.ts': "export const name = 'a';\n",
  });
  await build(['index']);
  expect(read('dist/index.js')).toContain('console.info(name)');
});

describe('an import of another package of Tenon', () => {
  const source =
    "import { a } from '@tenon/base';\nimport { b } from '@tenon/plain';\nexport const c = [a, b];\n";
  const packages = {
    'node_modules/@tenon/base/package.json': '{ "exports": { ".": "./a.js", "./internal": "./b.js" } }',
    'node_modules/@tenon/plain/package.json': '{ "exports": { ".": "./a.js" } }',
  };

  it('uses the internal entry if there is one', async () => {
    plant({ ...packages, 'src/index.ts': source });
    await build(['index'], [], {
      dependencies: { '@tenon/base': 'workspace:*', '@tenon/plain': 'workspace:*' },
    });
    expect(importsOf('index.js')).toEqual(['@tenon/base/internal', '@tenon/plain']);
  });

  it('is unchanged when the versions may differ', async () => {
    plant({ ...packages, 'src/index.ts': source });
    await build(['index'], [], {
      dependencies: { '@tenon/base': 'workspace:^', '@tenon/plain': 'workspace:^' },
    });
    expect(importsOf('index.js')).toEqual(['@tenon/base', '@tenon/plain']);
  });

  it('contains the code of the other package if that is private', async () => {
    plant({
      'node_modules/@tenon/engine/package.json':
        '{ "private": true, "exports": { ".": { "tenon-source": "./src/engine.ts" } } }',
      'node_modules/@tenon/engine/src/engine.ts':
        "import { a } from '@tenon/plain';\nexport const run = () => [a, 'runs'];\n",
      'node_modules/@tenon/plain/package.json': '{ "exports": { ".": "./a.js" } }',
      'src/index.ts': "export { run } from '@tenon/engine';\n",
    });
    await build(['index'], [], {
      dependencies: { '@tenon/plain': 'workspace:*' },
      devDependencies: { '@tenon/engine': 'workspace:*' },
    });
    expect(importsOf('index.js')).toEqual(['@tenon/plain']);
    expect(read('dist/index.js')).toContain('"runs"');
  });

  it('is rejected when it names an internal entry and the versions may differ', async () => {
    plant({ ...packages, 'src/index.ts': "export { b } from '@tenon/base/internal';\n" });
    const building = build(['index'], [], { dependencies: { '@tenon/base': 'workspace:^' } });
    await expect(building).rejects.toThrow('depend on @tenon/base as "workspace:*"');
  });
});

/** @param {Record<string, string>} files */
function plant(files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/**
 * @param {string[]} entries
 * @param {string[]} [named]
 * @param {Partial<Record<'dependencies' | 'devDependencies', Record<string, string>>>} [needs]
 */
async function build(entries, named = [], { dependencies = {}, devDependencies = {} } = {}) {
  const exports = Object.fromEntries(
    entries.map((name) => [
      name === 'index' ? '.' : `./${name}`,
      { 'tenon-source': `./src/${name}.ts`, default: `./dist/${name}.js` },
    ]),
  );
  const files = await bundle(folder, { exports, dependencies, devDependencies }, named);
  plant(Object.fromEntries(files.map(({ path, text }) => [relative(folder, path), text])));
}

/** @param {string} name */
const read = (name) => readFileSync(join(folder, name), 'utf8');

const codeFiles = () =>
  readdirSync(join(folder, 'dist'))
    .filter((name) => name.endsWith('.js'))
    .sort();

/**
 * @param {string} name of a file in `dist`
 * @returns {string[]} the modules that the file imports, each once
 */
function importsOf(name) {
  const found = read(`dist/${name}`).matchAll(/^(?:import|export|\}).* from "([^"]+)";$/gm);
  return [...new Set([...found].map(([, path = '']) => path))];
}

/**
 * @param {string} name of a file in `dist`
 * @returns {Promise<any>}
 */
const load = (name) => import(/* @vite-ignore */ pathToFileURL(join(folder, 'dist', name)).href);
