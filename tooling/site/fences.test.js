import { expect, it } from 'vitest';
import { fenceProblems } from './fences.js';

it('reports a fence that is closed with a language', () => {
  expect(fenceProblems('```ts\nconst a = 1;\n```text\n1\n```\n')).toEqual([
    'line 3: "```text" does not close the fence of line 1',
  ]);
});

it('reports a fence that is never closed', () => {
  expect(fenceProblems('text\n```ts\nconst a = 1;\n')).toEqual(['line 2: the fence is never closed']);
});

it('accepts shorter fences inside a longer one', () => {
  expect(fenceProblems('````markdown\n```ts\n```\n````\n')).toEqual([]);
});
