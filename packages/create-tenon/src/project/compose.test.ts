import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyFolder } from '../../test/run-create.js';
import { templatesFolder } from '../run-program.js';
import type { Choices } from './choices.js';
import { compose, layersOf } from './compose.js';

const choices: Choices = {
  template: 'http',
  packageName: '@me/box',
  packageManager: 'pnpm',
  test: false,
  auth: false,
  docker: false,
};

describe('the layers of a project', () => {
  it('are the folders with no part that was not chosen, from general to special', () => {
    const folders = ['http', 'test', 'http+auth+test', 'workers', 'http+auth', 'base', 'workers+auth'];
    expect(layersOf(folders, { ...choices, auth: true, test: true })).toEqual([
      'base',
      'http',
      'http+auth',
      'test',
      'http+auth+test',
    ]);
    expect(layersOf(folders, choices)).toEqual(['base', 'http']);
  });

  it('have known names in this package', () => {
    const all = { test: true, auth: true, docker: true };
    const used = (['stdio', 'http', 'workers', 'next'] as const).flatMap((template) =>
      layersOf(readdirSync(templatesFolder), { ...choices, ...all, template }),
    );
    expect([...new Set(used)].sort()).toEqual(readdirSync(templatesFolder).sort());
  });
});

describe('the files of a project', () => {
  it('are replaced, merged or appended by later layers', () => {
    const templates = plant({
      'base/package.json': '{"name":"{{packageName}}","scripts":{"a":"1","b":"2"}}',
      'base/README.md': '# {{serverName}}\n',
      'base/_gitignore': 'dist/\n',
      'base/src/a.ts': 'old',
      'base/src/b.ts': 'kept',
      'http/package.json': '{"scripts":{"a":null,"c":"{{run}} b"},"dependencies":{"z":"catalog:","a":"^1"}}',
      'http/README.md': 'More\n',
      'http/_gitignore': '.x/\n',
      'http/src/a.ts': 'new',
    });
    const files = compose({ templates, ranges: { z: '^4.0.0' } }, choices);
    expect(Object.fromEntries(files)).toEqual({
      'package.json': `${JSON.stringify(
        {
          name: '@me/box',
          scripts: { b: '2', c: 'pnpm run b' },
          dependencies: { a: '^1', z: '^4.0.0' },
        },
        undefined,
        2,
      )}\n`,
      'README.md': '# box\nMore\n',
      '.gitignore': 'dist/\n.x/\n',
      'src/a.ts': 'new',
      'src/b.ts': 'kept',
    });
  });

  it('cannot have a word or a version that is not known', () => {
    const word = plant({ 'base/a.txt': '{{constructor}}' });
    expect(() => compose({ templates: word, ranges: {} }, choices)).toThrow(
      'a.txt has the unknown word {{constructor}}',
    );
    const version = plant({ 'base/package.json': '{"dependencies":{"toString":"catalog:"}}' });
    expect(() => compose({ templates: version, ranges: {} }, choices)).toThrow(
      'The version of toString is not known',
    );
  });
});

function plant(files: Readonly<Record<string, string>>): string {
  const folder = emptyFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}
