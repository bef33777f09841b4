import { expect, it } from 'vitest';
import { SharedTask } from './shared-task.js';

async function work() {
  let signal: AbortSignal | undefined;
  let finish: (value: string) => void = () => {};
  let fail: (error: unknown) => void = () => {};
  const task = new SharedTask<string>((given) => {
    signal = given;
    return new Promise((resolve, reject) => {
      finish = resolve;
      fail = reject;
    });
  });
  return {
    task,
    finish: (value: string) => finish(value),
    fail: (e: unknown) => fail(e),
    signal: () => signal,
  };
}

it('begins once, and gives everybody the same outcome', async () => {
  const { task, finish } = await work();
  const joined = [task.join(), task.join(new AbortController().signal)];
  finish('done');
  expect(await Promise.all([...joined, task.join()])).toEqual(['done', 'done', 'done']);
});

it('tells everybody of a failure', async () => {
  const { task, fail } = await work();
  const joined = [task.join(), task.join(new AbortController().signal)];
  fail(new Error('no'));
  for (const one of joined) await expect(one).rejects.toThrow('no');
});

it('goes on while somebody waits, and is given up when the last one leaves', async () => {
  const { task, signal } = await work();
  const first = new AbortController();
  const second = new AbortController();
  const joined = [task.join(first.signal), task.join(second.signal)];
  first.abort(new Error('first left'));
  await expect(joined[0]).rejects.toThrow('first left');
  expect(signal()?.aborted).toBe(false);
  expect(task.givenUp).toBe(false);
  second.abort(new Error('second left'));
  await expect(joined[1]).rejects.toThrow('second left');
  expect(signal()?.aborted).toBe(true);
  expect(task.givenUp).toBe(true);
});

it('is not given up while somebody waits who cannot leave', async () => {
  const { task, finish, signal } = await work();
  const staying = task.join();
  const leaving = new AbortController();
  const left = task.join(leaving.signal);
  leaving.abort();
  await expect(left).rejects.toThrow();
  expect(signal()?.aborted).toBe(false);
  finish('done');
  expect(await staying).toBe('done');
});

it('is not given up by who leaves after the outcome, or has left before', async () => {
  const { task, finish, signal } = await work();
  const late = new AbortController();
  const joined = task.join(late.signal);
  finish('done');
  await joined;
  late.abort();
  expect(signal()?.aborted).toBe(false);
  await expect(task.join(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  expect(signal()?.aborted).toBe(false);
});

it('can be told to end', async () => {
  const { task, signal } = await work();
  task.giveUp(new Error('signed out'));
  expect(signal()?.reason).toEqual(new Error('signed out'));
});

it('is over for all who wait once it is told to end, though the work goes on', async () => {
  const { task } = await work();
  const joined = [task.join(), task.join(new AbortController().signal)];
  task.giveUp(new Error('signed out'));
  for (const one of joined) await expect(one).rejects.toThrow('signed out');
});
