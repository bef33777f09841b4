import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ranges } from './ranges.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const templates = join(root, 'packages/create-tenon/templates');

/** @param {string} path */
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));

const dependencies = readdirSync(templates).flatMap((layer) => {
  const files = readdirSync(join(templates, layer)).filter((name) => name === 'package.json');
  return files.flatMap((name) => {
    const manifest = read(join(templates, layer, name));
    return Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  });
});

describe('the version ranges for templates', () => {
  it('have every package of the workspace that templates use, at its version', () => {
    const known = ranges(root);
    const own = dependencies.filter(([, range]) => range === 'workspace:*').map(([name]) => name);
    expect(own).toContain('@tenon/mcp-server');
    for (const name of own)
      expect(known[name]).toBe(`^${read(join(root, 'packages/server/package.json')).version}`);
  });

  it('have every package of the catalog that templates use', () => {
    const known = ranges(root);
    const shared = dependencies.filter(([, range]) => range === 'catalog:').map(([name]) => name);
    expect(shared).toContain('zod');
    for (const name of shared) expect(known[name]).toMatch(/^[\^~]?\d+\.\d+\.\d+$/);
  });

  it('are used for every package that the workspace has: no template has a version of its own', () => {
    const known = ranges(root);
    const strange = dependencies.filter(
      ([name, range]) => name in known && !/^(workspace:\*|catalog:)$/.test(range),
    );
    expect(strange).toEqual([]);
  });
});
