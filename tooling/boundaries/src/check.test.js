import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { check } from './check.js';
import { format } from './violation.js';

/** @type {string} */
let root;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'boundaries-'));
  for (const [path, content] of Object.entries(cleanTree())) plant(path, content);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

/**
 * @param {string} path
 * @param {string} content
 */
function plant(path, content) {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/**
 * @param {string} name
 * @param {string[]} entries
 * @param {string[]} dependencies
 */
function manifest(name, entries, dependencies) {
  const target = (/** @type {string} */ entry) => ({ 'tenon-source': `./src/${entry}.ts` });
  return JSON.stringify({
    name: `@tenon/mcp-${name}`,
    exports: Object.fromEntries(
      entries.map((entry) => [entry === 'index' ? '.' : `./${entry}`, target(entry)]),
    ),
    dependencies: Object.fromEntries(dependencies.map((dependency) => [dependency, '1'])),
  });
}

/** @returns {Record<string, string>} a tree without violations, with one package of each sort */
function cleanTree() {
  const transport = '@tenon/mcp-transport-stdio';
  return {
    'packages/protocol/package.json': manifest('protocol', ['index'], []),
    'packages/protocol/src/index.ts': "export { newest } from './revisions/newest.js';\n",
    'packages/protocol/src/revisions/newest.ts': "export const newest: string = '2026-07-28';\n",
    'packages/session/package.json': manifest('session', ['index'], ['@tenon/mcp-protocol']),
    'packages/session/src/index.ts': "export { newest } from '@tenon/mcp-protocol';\n",
    'packages/transport-stdio/package.json': manifest('transport-stdio', ['index'], ['@tenon/mcp-protocol']),
    'packages/transport-stdio/src/index.ts':
      "import 'node:events';\nexport type { newest } from '@tenon/mcp-protocol';\n",
    'packages/server/package.json': manifest(
      'server',
      ['index', 'memory'],
      ['@tenon/mcp-session', transport],
    ),
    'packages/server/src/index.ts': "export { newest } from '@tenon/mcp-session';\n",
    'packages/server/src/memory.ts': `export { newest } from '${transport}';\n`,
    'packages/server/src/memory.test.ts': `import 'vitest';\nimport '${transport}';\nconst date = '2024-11-05';\n`,
    'packages/server/src/inference.test-d.ts':
      '// @ts-expect-error a number is not a string\nconst a: string = 1;\n',
    'apps/demo/package.json': JSON.stringify({ name: '@tenon/app-demo' }),
    'apps/demo/src/main.ts': "import '@tenon/mcp-server/memory';\nconst date = '2025-06-18';\n",
  };
}

const listed = () => check(root).violations.map(format);

it('accepts a tree without violations', () => {
  expect(listed()).toEqual([]);
  expect(check(root).fileCount).toBe(9);
});

it('accepts the date of another API, older than the first revision', () => {
  plant('packages/session/src/api.ts', "export const version = '2023-06-01';\n");
  expect(listed()).toEqual([]);
});
it('accepts a core entry that loads a transport lazily when it needs no Node', () => {
  plant('packages/server/src/index.ts', "export const load = () => import('./memory.js');\n");
  plant('packages/transport-stdio/src/index.ts', "export type { newest } from '@tenon/mcp-protocol';\n");
  expect(listed()).toEqual([]);
});

describe('core entry that loads a file chosen by conditions', () => {
  const imports = (/** @type {Record<string, string>} */ conditions) =>
    plant(
      'packages/server/package.json',
      JSON.stringify({
        ...JSON.parse(String(cleanTree()['packages/server/package.json'])),
        imports: { '#far': { 'tenon-source': './src/memory.ts', ...conditions } },
      }),
    );
  beforeEach(() => {
    plant('packages/server/src/index.ts', "export const load = () => import('#far');\n");
    plant('packages/server/src/none.ts', 'export const newest: undefined = undefined;\n');
  });

  it('accepts a file that needs Node when browsers get another file', () => {
    imports({ browser: './dist/none.js', default: './dist/memory.js' });
    expect(listed()).toEqual([]);
  });

  it('rejects a file that needs Node when browsers get the same file', () => {
    imports({ default: './dist/memory.js' });
    expect(listed()).toEqual([
      expect.stringMatching(
        /^packages\/transport-stdio\/src\/index.ts:1 core-entry: core entry reaches 'node:events' in a browser:/,
      ),
    ]);
  });

  it('rejects a file that imports the entry back', () => {
    imports({ browser: './dist/none.js', default: './dist/memory.js' });
    plant('packages/server/src/none.ts', "export { load as newest } from './index.js';\n");
    expect(listed()).toEqual([expect.stringContaining('packages/server/src/index.ts:1 cycle:')]);
  });
});

/**
 * The files to write, and a part of each line that the checker must print.
 *
 * @type {[string, Record<string, string>, string[]][]}
 */
const planted = [
  [
    'an import in the wrong direction',
    { 'packages/session/src/back.ts': "\nimport '@tenon/mcp-server';\n" },
    ['packages/session/src/back.ts:2 direction: session may import foundation, protocol, not server'],
  ],
  [
    'an import in the wrong direction in a test',
    { 'packages/session/src/back.test.ts': "import '@tenon/mcp-server';\n" },
    ['packages/session/src/back.test.ts:1 direction:'],
  ],
  [
    'an import of an app',
    { 'packages/server/src/app.ts': "import '@tenon/app-demo';\n" },
    ['packages/server/src/app.ts:1 direction:'],
  ],
  [
    'a dependency in the wrong direction',
    {
      'packages/session/package.json': manifest(
        'session',
        ['index'],
        ['@tenon/mcp-protocol', '@tenon/mcp-server'],
      ),
    },
    ['packages/session/package.json:1 direction:'],
  ],
  [
    'a runtime dependency of the protocol',
    { 'packages/protocol/package.json': manifest('protocol', ['index'], ['zod']) },
    ['packages/protocol/package.json:1 dependency: protocol has no runtime dependencies; remove zod'],
  ],
  [
    'a dependency that is not declared',
    { 'packages/session/src/schema.ts': "import 'zod';\n" },
    ["packages/session/src/schema.ts:1 dependency: 'zod'"],
  ],
  [
    'a package that is not in the table',
    {
      'packages/attic/package.json': manifest('attic', ['index'], ['@tenon/mcp-protocol']),
      'packages/attic/src/index.ts': "import '@tenon/mcp-protocol';\n",
    },
    ["packages/attic/package.json:1 direction: 'attic'", "packages/attic/src/index.ts:1 direction: 'attic'"],
  ],
  [
    'an import cycle',
    {
      'packages/session/src/one.ts': "\nexport * from './two.js';\n",
      'packages/session/src/two.ts': "export const one = () => import('./one.js');\n",
    },
    [
      'packages/session/src/one.ts:2 cycle: import cycle packages/session/src/one.ts -> packages/session/src/two.ts ->',
    ],
  ],
  [
    'an import cycle of types alone',
    {
      'packages/session/src/one.ts': "import type { Two } from './two.js';\nexport type One = Two;\n",
      'packages/session/src/two.ts': "export type Two = import('./one.js').One;\n",
    },
    ['packages/session/src/one.ts:1 cycle:'],
  ],
  [
    'folders that import each other, also through a file at the root of src',
    {
      'packages/session/src/low/a.ts': "import type { Roof } from '../roof.js';\nexport type A = Roof;\n",
      'packages/session/src/roof.ts': "export type { D as Roof } from './high/d.js';\n",
      'packages/session/src/high/d.ts': "export type { C as D } from '../low/c.js';\n",
      'packages/session/src/low/c.ts': 'export type C = string;\n',
    },
    [
      'packages/session/src/high/d.ts:1 floor: folders import each other: packages/session/src/high/d.ts imports',
    ],
  ],
  [
    'a deep import by name',
    { 'packages/session/src/deep.ts': "import '@tenon/mcp-protocol/src/revisions/newest.js';\n" },
    ["packages/session/src/deep.ts:1 deep-import: '@tenon/mcp-protocol/src/revisions/newest.js'"],
  ],
  [
    'a deep import by path',
    { 'apps/demo/src/deep.ts': "import '../../../packages/protocol/src/index.js';\n" },
    ['apps/demo/src/deep.ts:1 deep-import:'],
  ],
  [
    'a computed import',
    { 'packages/session/src/lazy.ts': 'export const load = (name: string) => import(name);\n' },
    ['packages/session/src/lazy.ts:1 computed-import:'],
  ],
  [
    'a transport outside the entries',
    { 'packages/server/src/features/tools.ts': "import type {} from '@tenon/mcp-transport-stdio';\n" },
    ['packages/server/src/features/tools.ts:1 transport-entry:'],
  ],
  [
    'a core entry that reaches Node',
    {
      'packages/session/src/index.ts':
        "import './clock.js';\nexport { newest } from '@tenon/mcp-protocol';\n",
      'packages/session/src/clock.ts': "\n\nimport 'node:timers';\n",
    },
    ["packages/session/src/clock.ts:3 core-entry: core entry reaches the Node built-in 'node:timers':"],
  ],
  [
    'a core entry that needs Node in a browser, by a dynamic import',
    {
      'packages/session/package.json': manifest('session', ['index'], ['@tenon/mcp-protocol', 'undici']),
      'packages/session/src/index.ts':
        "export { newest } from '@tenon/mcp-protocol';\nexport const load = () => import('./pool.js');\n",
      'packages/session/src/pool.ts': "export const load = () => import('undici');\n",
    },
    ["packages/session/src/pool.ts:1 core-entry: core entry reaches 'undici' in a browser:"],
  ],
  [
    'a core entry that reaches a transport through a subpath entry',
    { 'packages/server/src/index.ts': "import './memory.js';\n" },
    [
      "packages/server/src/memory.ts:1 core-entry: core entry reaches the transport '@tenon/mcp-transport-stdio':",
    ],
  ],
  [
    'a date literal in a string',
    { 'packages/session/src/old.ts': "\nexport const old: boolean = '2025-11-25' > '2';\n" },
    ["packages/session/src/old.ts:2 date-literal: '2025-11-25'"],
  ],
  [
    'a date literal in a template',
    {
      'packages/session/src/old.ts':
        'export const old = (name: string): string => `$' + '{name} 2025-11-25`;\n',
    },
    ["packages/session/src/old.ts:1 date-literal: '2025-11-25'"],
  ],
  [
    'names that say nothing',
    { 'packages/session/src/types.ts': '', 'packages/session/src/utils/clock.ts': '' },
    [
      "packages/session/src/types.ts:1 file-name: 'types.ts'",
      'packages/session/src/utils/clock.ts:1 file-name:',
    ],
  ],
  [
    'files that are too long',
    {
      'packages/session/src/long.ts': '\n'.repeat(401),
      'apps/everything-server/src/main.ts': '\n'.repeat(201),
    },
    [
      'apps/everything-server/src/main.ts:201 file-length: 201',
      'packages/session/src/long.ts:401 file-length: 401',
    ],
  ],
];

/** @type {[string, string][]} a statement, and a part of the message about it */
const dropping = [
  ['void work();', "'void' drops"],
  ['const f = () => void work();', "'void' drops"],
  ['work().then(take);', '.then() without a handler of rejections'],
  ['work?.().then(take);', '.then() without a handler of rejections'],
  ['ready && work().then(take);', '.then() without a handler of rejections'],
  ['work().then(take, failed);', 'what .then() calls may throw'],
  ['work().then((value) => take(value), failed);', 'what .then() calls may throw'],
  ['work().then(take, failed).finally(end);', '.finally() hands on'],
  ['async function later() {}\nlater();', 'the promise of an async function is dropped'],
  ["emitter.on('data', async () => {});", 'on() drops the promise'],
  ["const later = async () => {};\nemitter.once('end', later);", 'once() drops the promise'],
  ['class A { #b = async () => {}; c() { setTimeout(this.#b, 1); } }', 'setTimeout() drops the promise'],
  ['class A { async b() {} c() { this.b(); } }', 'the promise of an async function is dropped'],
  ['queueMicrotask(async () => {});', 'queueMicrotask() drops the promise'],
  ['clock.schedule(async () => {}, 5);', 'schedule() drops the promise'],
  ['const a = new Promise(async (resolve) => resolve(1));', 'new Promise() drops the promise'],
];

const handling = [
  'work().catch(failed);',
  'work().then(take).catch(failed);',
  'work().then(undefined, failed);',
  'work().then(() => { try { take(); } catch {} }, failed);',
  'class A { #take = () => { try { take(); } catch {} }; b() { work().then(this.#take, failed); } }',
  'const rest = work().then(take);',
  'export const all = () => work().finally(end);',
  'detach(work(), failed);',
  'export const later = async () => { await work(); };',
];

describe('dropped promises', () => {
  it.each(dropping)('finds one in %s', (source, message) => {
    plant('packages/session/src/work.ts', `${source}\n`);
    const lines = listed();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('dropped-promise: ');
    expect(lines[0]).toContain(message);
  });

  it.each(handling)('finds none in %s', (source) => {
    plant('packages/session/src/work.ts', `${source}\n`);
    expect(listed()).toEqual([]);
  });

  it('ignores tests and files outside packages', () => {
    for (const path of ['packages/session/src/work.test.ts', 'apps/demo/src/work.ts'])
      plant(path, 'void work();\n');
    expect(listed()).toEqual([]);
  });
});

const timing = [
  'const start = performance.now(); work(); expect(performance.now() - start).toBeLessThan(100);',
  'const start = Date.now(); work(); const took = Date.now() - start; if (took > limit) throw new Error();',
  'const { user } = process.cpuUsage(); expect(user / 1_000).not.toBeGreaterThan(budget);',
  'function cost() { const start = process.hrtime.bigint(); work(); return process.hrtime.bigint() - start; } expect(cost()).toBeLessThan(5n);',
  'const cost = async () => { const ms = performance.now(); return { ms }; }; const { ms } = await cost(); expect(ms).toBeLessThanOrEqual(9);',
  'const times = []; times.push(performance.now()); expect(Math.min(...times)).toBeLessThan(2);',
  'let last = new Date(); it("a", () => { expect(new Date() - last).toBeCloseTo(5); });',
];

const untimed = [
  'const start = performance.now(); work(); expect(called).toBeLessThan(performance.now() - start);',
  'const a = performance.now(); const b = performance.now(); expect(b - a).toBeLessThan(3 * (a - b));',
  'expect(performance.now()).toBeGreaterThan(0);',
  'const over = Date.now() + 1; while (Date.now() <= over) work();',
  'it("a", () => { const before = performance.now(); log(before); }); it("b", () => { const before = heap(); expect(heap() - before).toBeLessThan(4); });',
  'const exp = Date.now() + 60; expect(sign({ exp })).toBe("x");',
  'await takesAtMost(20, work, reference);',
];

describe('comparisons of a time with a constant', () => {
  it.each(timing)('finds one in the test %s', (source) => {
    plant('packages/session/src/work.test.ts', `${source}\n`);
    expect(listed()).toEqual([
      expect.stringContaining('work.test.ts:1 timed-comparison: a time is compared'),
    ]);
  });

  it.each(untimed)('finds none in %s', (source) => {
    plant('packages/session/src/work.test.ts', `${source}\n`);
    expect(listed()).toEqual([]);
  });

  it('checks test support files, and not sources', () => {
    const source = 'export const isLate = () => Date.now() > 5;\n';
    plant('packages/session/src/late.ts', source);
    plant('packages/session/test/late.ts', source);
    expect(listed()).toEqual([expect.stringContaining('packages/session/test/late.ts:1 timed-comparison:')]);
  });
});

describe('check', () => {
  it.each(planted)('finds %s', (_name, files, expected) => {
    for (const [path, content] of Object.entries(files)) plant(path, content);
    const lines = listed();
    expect(lines).toHaveLength(expected.length);
    for (const [index, start] of expected.entries()) expect(lines[index]).toContain(start);
  });

  it.each([
    'biome-ignore lint: no',
    '@ts-ignore',
    '@ts-nocheck',
    '@ts-expect-error',
    'eslint-disable-line',
    'oxlint-disable',
  ])('the suppression %s', (comment) => {
    plant('packages/session/src/quiet.ts', `/* ${comment} */\nexport const text = '// ${comment}';\n`);
    expect(listed()).toEqual([expect.stringContaining('packages/session/src/quiet.ts:1 suppression:')]);
  });
});
