import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { inputHashes } from './input-hashes.js';

/**
 * Returns the hash of a package before and after one of its files has changed.
 *
 * @param {string} name
 */
async function hashesAround(name) {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-hashes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'src'));
  for (const file of ['package.json', 'tsconfig.json']) writeFileSync(join(folder, file), '{}');
  for (const file of ['a.ts', 'a.test.ts', 'a.test-d.ts']) writeFileSync(join(folder, 'src', file), '');
  const hash = async () => (await inputHashes([folder]))(folder);
  const before = await hash();
  expect(await hash()).toBe(before);
  writeFileSync(join(folder, name), '{ }');
  return [before, await hash()];
}

it.each(['src/a.ts', 'src/new.ts', 'package.json', 'tsconfig.json'])('changes with %s', async (name) => {
  const [before, after] = await hashesAround(name);
  expect(after).not.toBe(before);
});

it.each(['src/a.test.ts', 'src/a.test-d.ts'])('does not change with %s', async (name) => {
  const [before, after] = await hashesAround(name);
  expect(after).toBe(before);
});
