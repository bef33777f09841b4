import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { namedIds } from './named-ids.js';

it('finds the ids that test files name', () => {
  const root = `${mkdtempSync(join(tmpdir(), 'tenon-requirements-'))}/`;
  onTestFinished(() => rmSync(root, { recursive: true }));
  const ids = "'2026-07-28/server/tools/a', ['draft-tools/tools/b'], 'a > 2026-07-28/server/c', '2026-07-28'";
  const importing = `import { shows } from '../../tooling/suite/shows.js';\nshows(${ids});`;
  const files = {
    'packages/a/src/a.test.ts': importing,
    'packages/a/src/a.ts': importing,
    'packages/a/node_modules/b/b.test.ts': importing,
    'apps/a/src/a.test.ts': `const given = [${ids}];`,
    'examples/src/a.test.js': "import { shows } from '../../tooling/suite/shows.js';",
    'tooling/a.test.ts':
      "import { requirement } from './requirement.js';\nrequirement(['draft-tools/tools/c'], {});",
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(root + path), { recursive: true });
    writeFileSync(root + path, text);
  }
  expect(namedIds(root)).toEqual(
    new Map([
      ['packages/a/src/a.test.ts', new Set(['2026-07-28/server/tools/a', 'draft-tools/tools/b'])],
      ['examples/src/a.test.js', new Set()],
      ['tooling/a.test.ts', new Set(['draft-tools/tools/c'])],
    ]),
  );
});
