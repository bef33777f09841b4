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

it('runs the task once, and returns its result to all callers', async () => {
  const { task, finish } = await work();
  const joined = [task.join(), task.join(new AbortController().signal)];
  finish('done');
  expect(await Promise.all([...joined, task.join()])).toEqual(['done', 'done', 'done']);
});

it('rejects for all callers if the task fails', async () => {
  const { task, fail } = await work();
  const joined = [task.join(), task.join(new AbortController().signal)];
  fail(new Error('no'));
  for (const one of joined) await expect(one).rejects.toThrow('no');
});

it('runs on while a caller waits, and aborts when the last one leaves', async () => {
  const { task, signal } = await work();
  const first = new AbortController();
  const second = new AbortController();
  const joined = [task.join(first.signal), task.join(second.signal)];
  first.abort(new Error('first left'));
  await expect(joined[0]).rejects.toThrow('first left');
  expect(signal()?.aborted).toBe(false);
  expect(task.isAborted).toBe(false);
  second.abort(new Error('second left'));
  await expect(joined[1]).rejects.toThrow('second left');
  expect(signal()?.aborted).toBe(true);
  expect(task.isAborted).toBe(true);
});

it('runs on while a caller without a signal waits', async () => {
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

it('ignores callers who leave after the result, or before they join', async () => {
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

it('aborts the task', async () => {
  const { task, signal } = await work();
  task.abort(new Error('signed out'));
  expect(signal()?.reason).toEqual(new Error('signed out'));
});

it('rejects for all callers after abort(), even if the task goes on', async () => {
  const { task } = await work();
  const joined = [task.join(), task.join(new AbortController().signal)];
  task.abort(new Error('signed out'));
  for (const one of joined) await expect(one).rejects.toThrow('signed out');
});
