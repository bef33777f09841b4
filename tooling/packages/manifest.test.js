import { describe, expect, it } from 'vitest';
import { manifestProblems } from './manifest.js';

const expected = {
  repository: 'git+https://code.example/tenon.git',
  directory: 'packages/client',
  version: '1.2.0',
};

/** @param {Record<string, unknown>} changes */
const problemsOf = (changes) => manifestProblems({ ...complete, ...changes }, expected);

const complete = {
  name: '@tenon/mcp-client',
  version: '1.2.0',
  description: 'A client for the Model Context Protocol, in TypeScript',
  keywords: ['mcp', 'model-context-protocol', 'client'],
  homepage: 'https://code.example/tenon/tree/main/packages/client#readme',
  bugs: 'https://code.example/tenon/issues',
  repository: { type: 'git', url: 'git+https://code.example/tenon.git', directory: 'packages/client' },
  license: 'Apache-2.0',
  author: 'The Tenon authors',
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20.18.1' },
  exports: { './package.json': './package.json' },
  files: ['dist', 'src', 'CHANGELOG.md', '!dist/.tsbuildinfo', '!src/**/*.test.ts', '!src/**/*.test-d.ts'],
  publishConfig: { access: 'public', provenance: true },
  dependencies: { '@tenon/mcp-protocol': 'workspace:*', jose: '^6.0.0' },
};

describe('the package.json of a public package', () => {
  it('passes when complete', () => {
    expect(problemsOf({})).toEqual([]);
  });

  it('passes with a further folder that is expected', () => {
    const files = ['dist', 'src', 'templates', ...complete.files.slice(2)];
    expect(manifestProblems({ ...complete, files }, { ...expected, folders: ['templates'] })).toEqual([]);
    expect(problemsOf({ files })).toHaveLength(1);
  });

  it.each([
    ['a version of its own', { version: '1.1.0' }, 'version must be "1.2.0"'],
    ['no licence', { license: undefined }, 'license must be "Apache-2.0"'],
    ['another folder', { homepage: 'https://code.example' }, `homepage must be "${complete.homepage}"`],
    ['no provenance', { publishConfig: { access: 'public' } }, /^publishConfig must be /],
    ['a short description', { description: 'A client' }, /^description must have /],
    ['no keywords', { keywords: undefined }, /^keywords must have /],
    ['no word on side effects', { sideEffects: undefined }, /^sideEffects must be /],
    ['a hidden package.json', { exports: { '.': './dist/index.js' } }, /^exports must have /],
    [
      'a range for the command line',
      { dependencies: { tenon: '^1.2.0' } },
      'dependencies must have tenon as "workspace:*"',
    ],
    [
      'a range for a package of Tenon',
      { dependencies: { '@tenon/mcp-protocol': 'workspace:^' } },
      'dependencies must have @tenon/mcp-protocol as "workspace:*"',
    ],
  ])('fails with %s', (_, changes, problem) => {
    const found = problemsOf(changes);
    expect(found).toHaveLength(1);
    if (typeof problem === 'string') expect(found[0]).toBe(problem);
    else expect(found[0]).toMatch(problem);
  });
});
