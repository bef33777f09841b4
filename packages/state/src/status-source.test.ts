import { expect, it } from 'vitest';
import { StatusSource } from './status-source.js';

it('calls every listener with each change, also after one that throws', () => {
  const errors: unknown[] = [];
  const source = new StatusSource('unavailable', (error) => errors.push(error));
  const seen: unknown[] = [];
  const failure = new Error('A listener fails.');
  source.add(() => {
    throw failure;
  });
  const remove = source.add((status, cause) => seen.push([status, cause]));
  source.become('ready');
  source.become('ready');
  const cause = new Error('The connection is lost.');
  source.become('unavailable', cause);
  remove();
  source.become('ready');
  expect(seen).toEqual([
    ['ready', undefined],
    ['unavailable', cause],
  ]);
  expect(errors).toEqual([failure, failure, failure]);
});

it('stays closed', () => {
  const source = new StatusSource('ready', () => {});
  const seen: string[] = [];
  source.add((status) => seen.push(status));
  source.become('closed');
  source.become('ready');
  expect([source.status, seen]).toEqual(['closed', ['closed']]);
});
