import { expect, it, vi } from 'vitest';
import { TypeNames } from './type-names.js';

it('gives each name once, with a number where names of the server differ only by other characters', () => {
  const names = new TypeNames(['Tools']);
  const given = ['get-user', 'get_user', 'get user', 'tools', 'get.user'].map((text) =>
    names.nameFor(text, ''),
  );
  expect(given).toEqual(['GetUser', 'GetUser2', 'GetUser3', 'Tools2', 'GetUser4']);
  expect(names.nameFor('get.user', 'Input')).toBe('GetUserInput');
});

it('looks for a free name in a number of steps that grows with the number of names', () => {
  const names = new TypeNames([]);
  const look = vi.spyOn(names.taken, 'has');
  for (let count = 0; count < 1_000; count++) names.nameFor('x'.padEnd(1 + count, '-'), 'Input');
  expect(look.mock.calls.length).toBeLessThan(3_000);
});
