import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { explainError } from './explained-error.js';

async function folderWith(name: string, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-explain-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, name), text);
  return folder;
}

it('keeps the lines of the stack in the folder, and the source around the first one', async () => {
  const folder = await folderWith('a.ts', 'one\ntwo\nthree\nfour\nfive\n');
  const stack = [
    'TypeError: no',
    `    at inner (${folder}/node_modules/x/index.js:1:2)`,
    `    at run (file://${folder}/a.ts:2:3)`,
    '    at node:internal/process:1:1',
    `    at ${folder}/a.ts:4:1`,
  ].join('\n');
  expect(explainError({ message: 'no', stack }, folder)).toEqual({
    message: 'TypeError: no',
    stack: ['at run (a.ts:2:3)', 'at a.ts:4:1'],
    place: { file: join(folder, 'a.ts'), line: 2, column: 3 },
    source: [
      { line: 1, text: 'one' },
      { line: 2, text: 'two' },
      { line: 3, text: 'three' },
      { line: 4, text: 'four' },
    ],
  });
});

it('finds the place in the message of a compiler', async () => {
  const folder = await folderWith('a.ts', 'let = ;\n');
  const message = `Transform failed with 1 error:\n${folder}/a.ts:1:6: ERROR: Unexpected`;
  const { place, message: shown } = explainError({ message, stack: message }, folder);
  expect(place).toMatchObject({ line: 1, column: 6 });
  expect(shown).toBe('Transform failed with 1 error:\na.ts:1:6: ERROR: Unexpected');
});

it('has no source when no line is in the folder', () => {
  const { source, place } = explainError(
    { message: 'no', stack: 'Error: no\n    at x (/else/a.ts:1:1)' },
    '/here',
  );
  expect({ source, place }).toEqual({ source: [], place: undefined });
});
