import { expect, test } from 'vitest';
import { thorough } from './thorough.js';

test('redacts members by name, and keys of well-known services in every text', () => {
  const key = `ghp_${'a1'.repeat(18)}`;
  expect(thorough({ password: 'abc', list: [`used ${key}`], user: 'ada' })).toEqual({
    password: '[redacted]',
    list: ['used [redacted]'],
    user: 'ada',
  });
});

test('returns a value without secrets unchanged', () => {
  const value = { user: 'ada', tokens: 5 };
  expect(thorough(value)).toBe(value);
});
