import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { blocksOf } from './readme.js';

it('finds the commands, the programs with their files, and the output of the README', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const blocks = blocksOf(readme, 'A server and a client');
  expect(blocks.map(({ language, file }) => (language === 'ts' ? file : language))).toEqual([
    'sh',
    'server.ts',
    'client.ts',
    'sh',
    'text',
  ]);
});
