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
