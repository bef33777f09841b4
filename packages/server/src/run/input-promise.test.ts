import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inputPromise, isRaised, Suspension, surviveSuspensions } from './input-promise.js';
import { Unawaited } from './unawaited.js';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const unhandled: unknown[] = [];
const listen = (reason: unknown) => void unhandled.push(reason);
let outer: readonly ((reason: unknown) => void)[] = [];

beforeEach(() => {
  unhandled.length = 0;
  // The runner counts every unhandled rejection; here the tests check them.
  outer = process.listeners('unhandledRejection') as never;
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', listen);
});

afterEach(() => {
  process.off('unhandledRejection', listen);
  for (const listener of outer) process.on('unhandledRejection', listener);
});

async function heard(): Promise<unknown[]> {
  await turn();
  await turn();
  return unhandled;
}

const raising = (reason: unknown = new Suspension(['q'])) =>
  inputPromise<string>(({ raise }) => raise(reason));
const failing = () => inputPromise<string>(({ reject }) => reject(new RangeError('bug')));

test('rejections by a run may be dropped, also in derived promises', async () => {
  const error = new RangeError('closed');
  void raising();
  void raising(error);
  void raising().then((text) => text);
  void raising()
    .then((text) => text)
    .finally(() => undefined)
    .then(() => 1, undefined);
  void inputPromise<string>(({ resolve }) => resolve('first')).then(() => raising());
  expect(await heard()).toEqual([]);
  expect(isRaised(error)).toBe(true);
});

test('raised later, it may be dropped as well', async () => {
  let later = (_: unknown) => {};
  const promise = inputPromise<string>(({ raise }) => {
    later = raise;
  });
  void promise.then((text) => text);
  await turn();
  later(new RangeError('closed'));
  expect(await heard()).toEqual([]);
});

test('still reaches the code that awaits it', async () => {
  await expect(raising()).rejects.toBeInstanceOf(Suspension);
  await expect(raising().then((text) => text)).rejects.toBeInstanceOf(Suspension);
  await expect(Promise.all([raising(new RangeError('closed'))])).rejects.toThrow('closed');
  expect(await raising().catch(() => 'caught')).toBe('caught');
});

test('failures of the author are as loud as ever', async () => {
  void failing();
  void inputPromise<string>(({ resolve }) => resolve('answer')).then(() => {
    throw new RangeError('bug');
  });
  void raising().catch(() => {
    throw new RangeError('bug');
  });
  expect((await heard()).map(String)).toEqual(Array(3).fill('RangeError: bug'));
});

test('a failed input request may be dropped, and is reported when nothing handles it', async () => {
  const reported: string[] = [];
  const unawaited = new Unawaited((mistake) => void reported.push(mistake));
  const bug = async () => Promise.reject(new RangeError('bug'));
  const track = (key: string) => unawaited.track(key, bug());
  void track('bare');
  void track('made').then((text) => text);
  await track('caught').catch(() => undefined);
  await expect(Promise.all([track('awaited')])).rejects.toThrow('bug');
  expect(await heard()).toEqual([]);
  unawaited.end(true);
  expect(reported).toEqual([
    expect.stringMatching(/^returned without awaiting the input request "bare"/),
    expect.stringMatching(/^does not handle that its input request "made" failed \(bug\)/),
  ]);
});

test('reports a failed promise of several input requests without ending the process', async () => {
  const reported: string[] = [];
  const unawaited = new Unawaited((mistake) => void reported.push(mistake));
  const source = new EventEmitter();
  surviveSuspensions(source as never);
  const all = Promise.all([unawaited.track('all', Promise.reject(new RangeError('bug')))]);
  source.emit('unhandledRejection', await all.catch((error: unknown) => error));
  expect(reported).toEqual([expect.stringMatching(/"all" failed \(bug\)/)]);
});
