import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packagesOf } from './installed.js';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-installed-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('packagesOf', () => {
  test('returns the named package and all its dependencies, each once', async () => {
    install('node_modules/server', { dependencies: { left: '1', right: '1' } });
    install('node_modules/left', { dependencies: { base: '1' } });
    install('node_modules/right', { dependencies: { base: '1', server: '1' } });
    install('node_modules/base', {});
    install('node_modules/unrelated', {});
    expect(await packagesOf(['server'], folder)).toEqual(ids('server@1', 'left@1', 'right@1', 'base@1'));
  });

  test('follows links, and resolves dependencies from their targets', async () => {
    install('store/server/node_modules/server', { dependencies: { base: '1' } });
    install('store/server/node_modules/base', {});
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(join(folder, 'store/server/node_modules/server'), join(folder, 'node_modules/server'));
    expect(await packagesOf(['server'], folder)).toEqual(ids('server@1', 'base@1'));
  });

  test('returns a package twice in two versions', async () => {
    install('node_modules/server', { dependencies: { left: '1', base: '2' } });
    install('node_modules/left', { dependencies: { base: '1' } });
    install('node_modules/left/node_modules/base', {});
    install('node_modules/base', { version: '2' });
    expect(await packagesOf(['server'], folder)).toEqual(ids('server@1', 'left@1', 'base@1', 'base@2'));
  });

  test('includes required peers, and leaves out optional ones', async () => {
    install('node_modules/server', {
      peerDependencies: { needed: '1', welcome: '1' },
      peerDependenciesMeta: { welcome: { optional: true } },
    });
    install('node_modules/needed', {});
    install('node_modules/welcome', {});
    expect(await packagesOf(['server'], folder)).toEqual(ids('server@1', 'needed@1'));
  });

  test('throws when a package that is not optional is missing', async () => {
    install('node_modules/server', {
      dependencies: { elsewhere: '1' },
      optionalDependencies: { elsewhere: '1' },
    });
    expect(await packagesOf(['server'], folder)).toEqual(ids('server@1'));
    install('node_modules/broken', { dependencies: { missing: '1' } });
    await expect(packagesOf(['broken'], folder)).rejects.toThrow('missing is not installed');
  });
});

test('an install of a server brings as many packages as the README says', async () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const installed = [...(await packagesOf(['@tenon/mcp-server'], join(root, 'examples')))];
  const own = installed.filter((name) => name.startsWith('@tenon/'));
  const page = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8');
  expect(page('README.md')).toContain(`, Tenon ${installed.length}) |`);
  expect(page('docs/guide/getting-started/when-not.md')).toContain(
    `a server installs ${installed.length} with Tenon, ${own.length} of them its own`,
  );
});

/** @param {string[]} names */
const ids = (...names) => new Set(names);

/**
 * @param {string} path
 * @param {Partial<import('./installed.js').Manifest>} manifest
 */
function install(path, manifest) {
  mkdirSync(join(folder, path), { recursive: true });
  const name = path.split('/').at(-1);
  writeFileSync(join(folder, path, 'package.json'), JSON.stringify({ name, version: '1', ...manifest }));
}
