import { expect, it } from 'vitest';
import { mutated } from './mutation.js';
import { judged } from './running.js';

const mutant = { id: 'a/b', file: 'a.ts', find: 'x > 1', replace: 'x >= 1', tests: ['a.test.ts'] };

it('replaces the text that occurs once', () => {
  expect(mutated('if (x > 1) y();', mutant)).toBe('if (x >= 1) y();');
});

it('rejects a source without the text, and one that has it twice', () => {
  expect(() => mutated('if (x) y();', mutant)).toThrow('a/b: the text to replace is no longer in a.ts.');
  expect(() => mutated('x > 1 && x > 1', mutant)).toThrow('more than once');
});

const ran = (/** @type {string[]} */ ...statuses) => ({
  name: 'a.test.ts',
  message: statuses.length === 0 ? 'SyntaxError: no\nmore' : '',
  assertionResults: statuses.map((status, index) => ({ status, fullName: `test ${index}` })),
});

it('calls a mutant caught by the first failed test', () => {
  expect(judged({ testResults: [ran('passed', 'failed')] })).toEqual({ verdict: 'caught', test: 'test 1' });
});

it('calls a mutant survived when tests of every file ran and passed', () => {
  expect(judged({ testResults: [ran('passed'), ran('passed')] })).toEqual({ verdict: 'survived' });
  expect(judged({ testResults: [ran('passed'), ran()] })).toEqual({
    verdict: 'broken',
    test: 'SyntaxError: no',
  });
  expect(judged({ testResults: [] })).toEqual({ verdict: 'broken', test: 'no test ran' });
});
