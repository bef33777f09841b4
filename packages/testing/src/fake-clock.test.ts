import { expect, test } from 'vitest';
import { FakeClock } from './fake-clock.js';

test('runs due tasks in order, at the time they were due', async () => {
  const clock = new FakeClock();
  const ran: string[] = [];
  clock.schedule(() => ran.push(`second at ${clock.now()}`), 20);
  clock.schedule(() => ran.push(`first at ${clock.now()}`), 10);
  clock.schedule(() => ran.push('later'), 31);
  await clock.advance(30);
  expect(ran).toEqual(['first at 10', 'second at 20']);
  expect(clock.now()).toBe(30);
  expect(clock.waiting).toEqual([1]);
});

test('settles promises between two tasks, which may schedule more', async () => {
  const clock = new FakeClock();
  const ran: number[] = [];
  const again = async () => {
    await undefined;
    ran.push(clock.now());
    if (ran.length < 3) clock.schedule(() => void again(), 10);
  };
  clock.schedule(() => void again(), 10);
  await clock.advance(100);
  expect(ran).toEqual([10, 20, 30]);
  expect(clock.waiting).toEqual([]);
});

test('does not run a cancelled task', async () => {
  const clock = new FakeClock();
  const cancel = clock.schedule(() => expect.unreachable(), 5);
  cancel();
  expect(clock.waiting).toEqual([]);
  await clock.advance(10);
});

test('pass() waits for a task due within the given time, and moves to it', async () => {
  const clock = new FakeClock();
  let ran = false;
  const passed = clock.pass(50);
  clock.schedule(() => {}, 1_000);
  clock.schedule(() => {
    ran = true;
  }, 40);
  expect(await passed).toBe(40);
  expect(ran).toBe(true);
  expect(clock.waiting).toEqual([960]);
});

test('armed() waits for a task with exactly the given delay', async () => {
  const clock = new FakeClock();
  const armed = clock.armed(7);
  clock.schedule(() => {}, 6);
  clock.schedule(() => {}, 7);
  await armed;
  expect(clock.waiting).toEqual([6, 7]);
});

test('runs due tasks with the next step after a stall', async () => {
  const clock = new FakeClock();
  const ran: number[] = [];
  clock.schedule(() => ran.push(clock.now()), 10);
  clock.stall(25);
  expect(ran).toEqual([]);
  await clock.advance(0);
  expect(ran).toEqual([25]);
});

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('advance() rejects %s', async (ms) => {
  await expect(new FakeClock().advance(ms)).rejects.toThrow(
    'advance() needs a finite, positive number of milliseconds',
  );
});
