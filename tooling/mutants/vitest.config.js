// The tests of packages on their sources. The plugin changes one source as the mutant named in MUTANT says.
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { mutated } from './mutation.js';
import { mutants } from './table/index.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const conditions = ['tenon-source', ...defaultServerConditions];
const mutant = mutants.find(({ id }) => id === process.env.MUTANT);

/** @type {import('vite').Plugin} */
const mutation = {
  name: 'mutation',
  enforce: 'pre',
  transform(code, path) {
    return mutant !== undefined && path === `${root}${mutant.file}` ? mutated(code, mutant) : undefined;
  },
};

export default defineConfig({
  root,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  plugins: [mutation],
  test: {
    include: ['packages/*/src/**/*.test.ts', 'tooling/acceptance/src/**/*.test.ts'],
    testTimeout: 20_000,
    maxWorkers: 1,
  },
});
