import { expect, test } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { RateTable } from './rate-table.js';

const table = (names = 100) => new RateTable(new FakeClock(), { perSecond: 1, burst: 2 }, names);

test('a name has one bucket, and another one in each namespace', () => {
  const rates = table();
  const bucket = rates.of('ann', 'issuer');
  expect(rates.of('ann', 'issuer')).toBe(bucket);
  const others = [rates.of('bob', 'issuer'), rates.of('ann', 'other'), rates.of('ann', Symbol('address'))];
  expect(new Set([bucket, ...others]).size).toBe(4);
  expect(rates.of('ann', 'other')).toBe(others[1]);
  expect(rates.of('ann', 'issuer')).toBe(bucket);
  expect(rates.size).toBe(2);
});

test('names are bounded in number, and those in use are kept', () => {
  const rates = table(100);
  const busy = rates.of('busy', '');
  busy.take();
  busy.take();
  for (let index = 0; index < 10_000; index++) {
    rates.of(`passer-by ${index}`, '');
    if (index % 40 === 0) expect(rates.of('busy', '').take()).toBe(false);
    expect(rates.size).toBeLessThanOrEqual(100);
  }
});

test('a dropped bucket starts full', () => {
  const rates = table(10);
  const first = rates.of('ann', '');
  for (let index = 0; index < 20; index++) rates.of(`passer-by ${index}`, '');
  expect(rates.of('ann', '')).not.toBe(first);
});

test('keeps a bucket for each of many issuers with the same name, without a linear search', () => {
  const fill = (issuers: number) => {
    const rates = new RateTable(new FakeClock(), { perSecond: 1 }, 100_000);
    let taken = 0;
    for (let issuer = 0; issuer < issuers; issuer++) {
      if (rates.of('admin', `https://tenant${issuer}.example`).take()) taken++;
    }
    expect(taken).toBe(issuers);
    return rates;
  };
  const rates = fill(40_000);
  // Eight follow each other under the one name; each of the others is found by a name of its own.
  expect(rates.size).toBe(40_000 - 8 + 1);
  expect(rates.of('admin', 'https://tenant0.example').take()).toBe(false);
  expect(rates.of('admin', 'https://tenant39999.example').take()).toBe(false);
});
