import { expect, test } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import type { IncomingRequest } from '../requests/incoming-request.js';
import { Deadlines, type Timed } from './deadlines.js';

/** A handler at work, which notes when its time is up. */
class Worker implements Timed {
  spent = 0;
  stoppedAt: number | undefined;
  awaitsPeer = false;
  readonly patience: number | undefined;
  readonly #clock: FakeClock;

  constructor(clock: FakeClock, patience?: number) {
    this.#clock = clock;
    this.patience = patience;
  }

  get request(): IncomingRequest {
    return this as unknown as IncomingRequest;
  }

  expire(): void {
    this.stoppedAt = this.#clock.now();
  }
}

function make(most = 1_000) {
  const clock = new FakeClock();
  const deadlines = new Deadlines(clock, most);
  const begin = (patience?: number) => {
    const worker = new Worker(clock, patience);
    deadlines.enter(worker);
    return worker;
  };
  return { clock, deadlines, begin };
}

test('stops a handler at its time limit or at most a tenth later, never earlier', async () => {
  const { clock, begin } = make(1_000);
  const workers: [number, Worker][] = [];
  for (let index = 0; index < 50; index++) {
    workers.push([clock.now(), begin()]);
    await clock.advance(37);
  }
  await clock.advance(2_000);
  for (const [began, { stoppedAt = 0 }] of workers) {
    expect(stoppedAt - began).toBeGreaterThanOrEqual(1_000);
    expect(stoppedAt - began).toBeLessThanOrEqual(1_100);
  }
});

test('uses one timer for all handlers, and none when no handler runs', async () => {
  const { clock, deadlines, begin } = make(1_000);
  expect(clock.waiting).toEqual([]);
  const workers = Array.from({ length: 100 }, () => begin());
  expect(clock.waiting).toHaveLength(1);
  for (const worker of workers) deadlines.leave(worker);
  await clock.advance(100);
  expect([clock.waiting.length, deadlines.size]).toEqual([0, 0]);
  expect(workers.every(({ stoppedAt }) => stoppedAt === undefined)).toBe(true);
});

test('does not count time before a handler started', async () => {
  const { clock, deadlines, begin } = make(1_000);
  deadlines.leave(begin());
  await clock.advance(60_000);
  const worker = begin();
  await clock.advance(950);
  expect(worker.stoppedAt).toBeUndefined();
  await clock.advance(150);
  expect(worker.stoppedAt).toBeDefined();
});

test('a time of its own may be shorter or longer than that of all others', async () => {
  const { clock, deadlines, begin } = make(1_000);
  const ordinary = begin();
  deadlines.expect(100);
  const [short, long] = [begin(100), begin(5_000)];
  await clock.advance(110);
  expect([short, ordinary, long].map(({ stoppedAt }) => stoppedAt !== undefined)).toEqual([
    true,
    false,
    false,
  ]);
  await clock.advance(1_000);
  expect([ordinary, long].map(({ stoppedAt }) => stoppedAt !== undefined)).toEqual([true, false]);
  await clock.advance(4_000);
  expect(long.stoppedAt).toBeDefined();
});

test('waiting for the peer does not count', async () => {
  const { clock, begin } = make(1_000);
  const worker = begin();
  await clock.advance(500);
  worker.awaitsPeer = true;
  await clock.advance(60_000);
  expect(worker.stoppedAt).toBeUndefined();
  worker.awaitsPeer = false;
  await clock.advance(400);
  expect(worker.stoppedAt).toBeUndefined();
  await clock.advance(200);
  expect(worker.stoppedAt).toBeDefined();
});

test('starts a new timer with the next handler when the runtime dropped one', async () => {
  const clock = new FakeClock();
  const dropped = { now: () => clock.now(), schedule: () => () => undefined };
  const deadlines = new Deadlines(dropped, 1_000);
  const [first, second] = [new Worker(clock), new Worker(clock)];
  deadlines.enter(first);
  await clock.advance(5_000);
  deadlines.enter(second);
  expect([first.stoppedAt !== undefined, second.stoppedAt !== undefined]).toEqual([true, false]);
});

test('without a bound there is nothing to look at', () => {
  const { clock, deadlines, begin } = make(Number.POSITIVE_INFINITY);
  begin();
  expect([clock.waiting.length, deadlines.size]).toEqual([0, 0]);
});
