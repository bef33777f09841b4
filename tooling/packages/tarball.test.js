import { describe, expect, it } from 'vitest';
import { foreignSources, listProblems } from './tarball.js';

const files = ['LICENSE', 'README.md', 'CHANGELOG.md', 'package.json', 'dist/index.js', 'src/index.ts'];

describe('the files of a tarball', () => {
  it('pass with code, licence, README and changelog', () => {
    expect(listProblems(files)).toEqual([]);
  });

  it('fail without the licence or the changelog', () => {
    expect(listProblems(files.filter((file) => !/LICENSE|CHANGELOG/.test(file)))).toEqual([
      'LICENSE is missing',
      'CHANGELOG.md is missing',
    ]);
  });

  it('may have whole projects in a further folder', () => {
    const more = [...files, 'templates/base/a.test.ts', 'templates/base/_gitignore'];
    expect(listProblems(more, ['templates'])).toEqual([]);
    expect(listProblems(more)).toHaveLength(2);
  });

  it.each(['src/index.test.ts', 'src/index.test-d.ts', 'dist/.tsbuildinfo', 'test/pair.ts', '.env'])(
    'fail with %s',
    (stray) => {
      expect(listProblems([...files, stray])).toEqual([`${stray} must not be published`]);
    },
  );
});

describe('the sources of a built file', () => {
  it('are those of the package', () => {
    const own = ['../../src/http/node.ts', '../../src/a.ts', '../index.js', '../../../workbench/src/dev.ts'];
    expect(foreignSources('dist/http/node.js.map', own)).toEqual([]);
  });

  it('are foreign when they come from a dependency or another package', () => {
    const foreign = ['../../../node_modules/zod/index.js', '../../protocol/src/index.ts'];
    expect(foreignSources('dist/index.js.map', ['../src/index.ts', ...foreign])).toEqual(foreign);
  });
});
