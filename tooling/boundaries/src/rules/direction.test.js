import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { format } from '../violation.js';
import { Workspace } from '../workspace.js';
import { direction } from './direction.js';

/** @type {string} */
let root;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'boundaries-direction-'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

/** @param {Record<string, string>} files */
function listed(files) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return direction(new Workspace(root)).map(format);
}

const packages = {
  'packages/session/package.json': JSON.stringify({ name: '@tenon/mcp-session' }),
  'packages/testing/package.json': JSON.stringify({ name: '@tenon/mcp-testing' }),
  'packages/testing/src/fake-clock.ts': 'export const one = 1;\n',
  'packages/testing/src/faulty.ts': 'export const one = 1;\n',
  'tooling/acceptance/package.json': JSON.stringify({ name: '@tenon/acceptance' }),
};

describe('relative imports of files for tests', () => {
  it('accepts tooling/suite in tests and tooling, and rejects it in sources', () => {
    const source = "export * from '../../../tooling/suite/effort.js';\n";
    const lines = listed({
      ...packages,
      'packages/session/src/work.test.ts': source,
      'packages/session/src/work.ts': source,
      'tooling/acceptance/src/work.ts': "export * from '../../suite/effort.js';\n",
    });
    expect(lines).toEqual([expect.stringContaining('packages/session/src/work.ts:1 deep-import:')]);
  });

  it('accepts the fake clock in tests, and rejects other files of testing', () => {
    const lines = listed({
      ...packages,
      'packages/session/src/work.test.ts': "import '../../testing/src/fake-clock.js';\n",
      'packages/session/src/work.ts': "import '../../testing/src/fake-clock.js';\n",
      'packages/session/test/rig.ts': "import '../../testing/src/faulty.js';\n",
    });
    expect(lines).toEqual([
      expect.stringContaining('packages/session/src/work.ts:1 deep-import:'),
      expect.stringContaining('packages/session/test/rig.ts:1 deep-import:'),
    ]);
  });
});

describe('a private package among the devDependencies', () => {
  /** @param {object} dependencies of the command line */
  const sources = (dependencies) => ({
    'packages/workbench/package.json': JSON.stringify({
      name: '@tenon/mcp-workbench',
      private: true,
      exports: { '.': { 'tenon-source': './src/index.ts' } },
      dependencies: { ajv: '1' },
    }),
    'packages/workbench/src/index.ts': 'export const one = 1;\n',
    'packages/cli/package.json': JSON.stringify({
      name: 'tenon',
      dependencies,
      devDependencies: { '@tenon/mcp-workbench': '1' },
    }),
    'packages/cli/src/main.ts': "import '@tenon/mcp-workbench';\n",
  });

  it('may be imported, because the build makes it a part of the package', () => {
    expect(listed(sources({ ajv: '1' }))).toEqual([]);
  });

  it('needs its dependencies among those of the package', () => {
    expect(listed(sources({}))).toEqual([
      expect.stringMatching(/packages\/cli\/package\.json:1 dependency: .*: ajv$/),
    ]);
  });
});
