import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { mutated } from '../mutation.js';
import { mutants } from './index.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

it('gives each mutant a unique id', () => {
  const ids = mutants.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
});

it.each(mutants)('finds the text and the tests of $id', (mutant) => {
  const source = readFileSync(`${root}${mutant.file}`, 'utf8');
  expect(mutated(source, mutant)).not.toBe(source);
  expect(mutant.tests.filter((file) => !existsSync(`${root}${file}`))).toEqual([]);
  expect(mutant.tests.length).toBeGreaterThan(0);
});
