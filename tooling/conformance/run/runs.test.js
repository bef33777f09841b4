import { expect, it } from 'vitest';
import { argumentsOf, nameOf, runs } from './runs.js';

/** @param {string} name */
function said(name) {
  const run = runs.find((one) => nameOf(one) === name);
  return run && argumentsOf(run).join(' ');
}

it('passes the revision of a run to the suite', () => {
  expect(said('server 2025-06-18 all')).toBe('server --suite all --spec-version 2025-06-18');
  expect(said('client 2026-07-28 required')).toBe('client --requirements 2026-07-28');
});

it('passes no revision when extensions are to be run', () => {
  expect(said('client any all')).toBe('client --suite all');
});
