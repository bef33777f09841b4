import { describe, expect, it } from 'vitest';
import { httpClientBoundsOf } from '../request/http-limits.js';
import { ReconnectWait } from './reconnect-wait.js';

const waits = (limits = {}, random = 1) =>
  new ReconnectWait({ ...httpClientBoundsOf(), ...limits }, () => random);

describe('ReconnectWait', () => {
  it('grows with failures up to half a minute, half of it random', () => {
    const [most, least] = [waits(), waits({}, 0)];
    const ms = Array.from({ length: 7 }, () => [least.next('broken', 0), most.next('broken', 0)]);
    expect(ms.slice(0, 6)).toEqual([
      [250, 500],
      [500, 1000],
      [1000, 2000],
      [2000, 4000],
      [4000, 8000],
      [8000, 16_000],
    ]);
    expect(ms[6]).toEqual([undefined, undefined]);
  });

  it('uses the limits for wait, growth and reset', () => {
    const wait = waits({ backoffMs: 10, maxBackoffMs: 25, healthyMs: 100, maxReconnects: 3 });
    expect(Array.from({ length: 3 }, () => wait.next('broken', 99))).toEqual([10, 20, 25]);
    expect(wait.next('broken', 100)).toBe(25);
    expect(wait.next('broken', 99)).toBeUndefined();
  });

  it('uses the wait of the server, except for failed attempts that wait longer', () => {
    const wait = waits();
    wait.retry(1234);
    expect([wait.next('ended', 0), wait.next('broken', 0)]).toEqual([1234, 1234]);
    expect([wait.next('refused', 0), wait.next('refused', 0)]).toEqual([1234, 2000]);
  });

  it('resets the count only after a message', () => {
    const wait = waits({ maxReconnects: 2, maxEmptyStreams: 2 });
    for (let round = 0; round < 3; round++) {
      wait.next('broken', 0);
      expect(wait.next('broken', 0)).toBe(1000);
      wait.delivered();
    }
    wait.next('ended', 0);
    wait.next('broken', 29_999);
    wait.next('ended', 0);
    expect(wait.next('broken', 0)).toBeDefined();
    expect(wait.next('ended', 0)).toBeUndefined();
  });

  it('continues as long as connections stay open', () => {
    const wait = waits({ maxReconnects: 1, maxEmptyStreams: 1 });
    for (let round = 0; round < 10; round++) expect(wait.next('ended', 30_000)).toBe(500);
  });
});
