import { link, mkdtemp, readdir, rm, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { LockFile } from './lock-file.js';
import { readLock, thisPlace } from './lock-holder.js';

vi.mock('node:fs/promises', async (load) => {
  const real = await load<typeof import('node:fs/promises')>();
  return { ...real, link: vi.fn(real.link) };
});

let folder: string;
let path: string;
let clock: FakeClock;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-lock-'));
  path = join(folder, 'a.lock');
  clock = new FakeClock();
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function lock(): LockFile {
  return new LockFile(path, { stale: 1_000, wait: 3_000, clock });
}

/** Advances the clock whenever a timer waits for it besides `others`, until the promise settles. */
async function untilDone<T>(promise: Promise<T>, others = 0): Promise<T> {
  let done = false;
  const settle = () => {
    done = true;
  };
  promise.then(settle, settle);
  const goOn = async () => {
    if (clock.waiting.length > others) await clock.advance(20);
    return done;
  };
  await expect.poll(goOn, { interval: 0, timeout: 5_000 }).toBe(true);
  return promise;
}

/** Creates a lock file of a process on another machine. */
async function foreign(token = 'other', place = 'elsewhere 1'): Promise<void> {
  await writeFile(path, JSON.stringify({ pid: process.pid, place, token }), { flag: 'wx' });
}

it('returns the result or error of the task, and leaves no file', async () => {
  expect(await lock().hold(async () => readdir(folder))).toEqual(['a.lock']);
  await expect(lock().hold(() => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
  expect(await readdir(folder)).toEqual([]);
});

it('writes its holder into the file', async () => {
  const seen = await lock().hold(() => readLock(path));
  expect(seen?.holder).toEqual({ pid: process.pid, place: thisPlace, token: expect.any(String) });
});

it('works on a file system without hard links', async () => {
  vi.mocked(link).mockRejectedValue(Object.assign(new Error('no links here'), { code: 'EPERM' }));
  onTestFinished(() => void vi.mocked(link).mockReset());
  const seen = await lock().hold(async () => [await readdir(folder), (await readLock(path))?.holder?.pid]);
  expect(seen).toEqual([['a.lock'], process.pid]);
  await writeFile(path, JSON.stringify({ pid: 2 ** 30, place: thisPlace, token: 'one' }));
  let inside = 0;
  const alone = () =>
    lock().hold(async () => {
      expect(++inside).toBe(1);
      await readdir(folder);
      inside--;
    });
  await untilDone(Promise.all([alone(), alone(), alone()]));
  expect(await readdir(folder)).toEqual([]);
});

it('waits up to its limit while the holder on another machine touches the file', async () => {
  await foreign();
  let touched = 0;
  const live = () => {
    touched++;
    void utimes(path, touched, touched);
    clock.schedule(live, 250);
  };
  live();
  const waiting = untilDone(
    lock().hold(async () => 'mine'),
    1,
  );
  await expect(waiting).rejects.toMatchObject({
    name: 'FileError',
    message: `Another process (${process.pid}) has held ${path} for more than 3 s. End that process, or delete the file if it has ended.`,
  });
  expect(clock.now()).toBeGreaterThanOrEqual(3_000);
});

it('removes a lock that was not touched for too long', async () => {
  await foreign();
  expect(await untilDone(lock().hold(async () => 'mine'))).toBe('mine');
  expect(clock.now()).toBeGreaterThanOrEqual(1_000);
  expect(await readdir(folder)).toEqual([]);
});

it.each([
  ['is empty', ''],
  ['is truncated', '{"pid":'],
  ['has other content', '[]'],
  ['has an invalid process id', '{"pid":0,"place":"","token":""}'],
  ['is too large', 'x'.repeat(10_000)],
])('removes a lock file that %s, after the time limit', async (_, text) => {
  await writeFile(path, text);
  expect(await untilDone(lock().hold(async () => 'mine'))).toBe('mine');
  expect(clock.now()).toBeGreaterThanOrEqual(1_000);
});

it('removes the lock of a process that has ended on this machine at once, and waits for one on another machine', async () => {
  const ended = 2 ** 30;
  await writeFile(path, JSON.stringify({ pid: ended, place: thisPlace, token: 'one' }));
  expect(await lock().hold(async () => 'mine')).toBe('mine');
  expect(clock.now()).toBe(0);
  await writeFile(path, JSON.stringify({ pid: ended, place: 'elsewhere 1', token: 'two' }));
  expect(await untilDone(lock().hold(async () => 'mine'))).toBe('mine');
  expect(clock.now()).toBeGreaterThanOrEqual(1_000);
});

it('removes the second lock of a process that has ended', async () => {
  await foreign();
  await writeFile(`${path}.break`, JSON.stringify({ pid: 2 ** 30, place: thisPlace, token: 'b' }));
  expect(await untilDone(lock().hold(async () => 'mine'))).toBe('mine');
  expect(await readdir(folder)).toEqual([]);
});

it('waits for another process that is removing the lock', async () => {
  await writeFile(path, JSON.stringify({ pid: 2 ** 30, place: thisPlace, token: 'left' }));
  await writeFile(`${path}.break`, JSON.stringify({ pid: 1, place: 'elsewhere 1', token: 'b' }));
  const mine = lock().hold(async () => clock.now());
  await expect.poll(() => clock.waiting.length).toBe(1);
  expect((await readLock(path))?.holder?.token).toBe('left');
  expect(await untilDone(mine)).toBeGreaterThanOrEqual(1_000);
  expect(await readdir(folder)).toEqual([]);
});

it('does not remove the lock of the next holder when two processes break one stale lock', async () => {
  await writeFile(path, JSON.stringify({ pid: 2 ** 30, place: thisPlace, token: 'left' }));
  const real = vi.mocked(link).getMockImplementation();
  let goOn = () => {};
  let isLate = () => {};
  const late = new Promise<void>((resolve) => {
    isLate = resolve;
  });
  // The first process has seen the stale lock, and waits before it creates the second lock.
  vi.mocked(link).mockImplementationOnce(async (from, to) => {
    isLate();
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    return real?.(from, to);
  });
  onTestFinished(() => void vi.mocked(link).mockClear());
  let inside = 0;
  const alone = async () => {
    expect(++inside).toBe(1);
    await readdir(folder);
    inside--;
  };
  const first = lock().hold(alone);
  await late;
  await lock().hold(async () => {
    inside++;
    const mine = (await readLock(path))?.holder?.token;
    goOn();
    // The first process has looked, and waits for this one.
    await expect.poll(() => clock.waiting.length).toBe(2);
    expect((await readLock(path))?.holder?.token).toBe(mine);
    inside--;
  });
  await untilDone(first);
  expect(await readdir(folder)).toEqual([]);
});

it('leaves its own lock to a process that is removing it, after a suspension', async () => {
  await lock().hold(async () => {
    clock.stall(60_000);
    await writeFile(`${path}.break`, JSON.stringify({ pid: 1, place: 'elsewhere 1', token: 'b' }));
  });
  expect((await readdir(folder)).sort()).toEqual(['a.lock', 'a.lock.break']);
  expect(await untilDone(lock().hold(async () => 'mine'))).toBe('mine');
});

it('touches its file only while it is held', async () => {
  const before = new Date(0);
  await lock().hold(async () => {
    await utimes(path, before, before);
    const state = (await readLock(path))?.state;
    await clock.advance(250);
    await expect.poll(async () => (await readLock(path))?.state).not.toBe(state);
  });
  expect(clock.waiting).toEqual([]);
});

it('does not remove the lock of a process that has taken over', async () => {
  await lock().hold(async () => {
    clock.stall(60_000);
    await unlink(path);
    await foreign('theirs');
  });
  expect((await readLock(path))?.holder?.token).toBe('theirs');
});

it('removes its own lock after a suspension', async () => {
  await lock().hold(async () => clock.stall(60_000));
  expect(await readdir(folder)).toEqual([]);
});

it('rejects with the reason of the signal', async () => {
  await foreign();
  const controller = new AbortController();
  const waiting = lock().hold(async () => 'mine', controller.signal);
  await expect.poll(() => clock.waiting.length).toBe(1);
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  expect(clock.waiting).toEqual([]);
  await expect(lock().hold(async () => 'mine', controller.signal)).rejects.toThrow('enough');
});

it('says what to do if the file cannot be created', async () => {
  await rm(folder, { recursive: true });
  await expect(lock().hold(async () => {})).rejects.toMatchObject({
    name: 'FileError',
    message: `Cannot write ${path} (ENOENT): make it writable for this user, or choose another path.`,
  });
});
