import { describe, expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import {
  type Answers,
  accepted,
  form,
  type Handler,
  handlesEveryRejection,
  Play,
  turn,
  value,
} from '../../test/play.js';
import { isSuspension } from './input-promise.js';
import type { Run } from './run.js';

handlesEveryRejection();

describe('without an input request', () => {
  test('a handler that returns at once is answered at once', () => {
    const play = new Play(() => 'done');
    expect(play.start(play.request())).toBe('done');
  });

  test('a handler that throws at once throws at once', () => {
    const play = new Play(() => {
      throw new RangeError('no');
    });
    expect(() => play.start(play.request())).toThrow('no');
  });

  test('its promise, its rejection and its cancellation pass through', async () => {
    expect(await new Play(async () => 'later').call()).toBe('later');
    await expect(new Play(async () => Promise.reject(new RangeError('no'))).call()).rejects.toThrow('no');
    let aborted: unknown;
    const play = new Play((_, { signal }) => {
      signal.addEventListener('abort', () => {
        aborted = signal.reason;
      });
      return 'done';
    });
    const request = play.request();
    play.start(request);
    request.cancel('enough');
    expect(String(aborted)).toContain('enough');
  });

  test('an input request that is not awaited does not delay a finished result', async () => {
    const seen: unknown[] = [];
    const requestingInput: Handler = (inputRequester, { signal }) => {
      inputRequester
        .requestInput('q', form('?'))
        .catch((error: unknown) => seen.push(isSuspension(error), signal.aborted));
      return 'done';
    };
    const play = new Play(requestingInput);
    expect(play.start(play.request())).toBe('done');
    const slower = new Play(async (inputRequester, host) => requestingInput(inputRequester, host));
    expect(await slower.call()).toBe('done');
    await turn();
    await turn();
    expect(seen).toEqual([true, false, true, false]);
    expect([
      ...play.reported,
      ...slower.reported,
      play.clock.waiting.length,
      slower.clock.waiting.length,
    ]).toEqual([0, 0]);
  });
});

describe('rounds', () => {
  test('sends parallel input requests together', async () => {
    shows('draft-tools/tools/input-required');
    const play = new Play(async (inputRequester) => {
      const [a, b] = await Promise.all([
        value(inputRequester.requestInput('a', form('A'))),
        value(inputRequester.requestInput('b', form('B'))),
      ]);
      return `${a}${b}`;
    });
    expect(await play.through((key) => accepted(key.toUpperCase()))).toEqual({
      result: 'AB',
      rounds: [['a', 'b']],
    });
  });

  test('needs a round for each of consecutive input requests, and keeps earlier answers', async () => {
    shows('2026-07-28/basic/patterns/mrtr/ask-again');
    const play = new Play(async (inputRequester) => {
      const a = await value(inputRequester.requestInput('a', form('A')));
      const b = await value(inputRequester.requestInput('b', form(`B after ${a}`)));
      return `${a}${b}${await value(inputRequester.requestInput('c', form('C')))}`;
    });
    const { result, rounds } = await play.through((key) => accepted(key));
    expect({ result, rounds }).toEqual({ result: 'abc', rounds: [['a'], ['b'], ['c']] });
    expect(play.reported).toEqual([]);
  });

  test('requests made after awaiting settled promises still join the turn, in every branch', async () => {
    const play = new Play(async (inputRequester) => {
      const first = inputRequester.requestInput('a', form('A'));
      await Promise.resolve();
      await inputRequester.once('s', () => 1);
      await Promise.all([
        first,
        inputRequester.requestInput('b', form('B')),
        Promise.resolve().then(() => inputRequester.requestInput('c', form('C'))),
      ]);
      return 'done';
    });
    expect((await play.through(accepted)).rounds).toEqual([['a', 'b', 'c']]);
  });

  test('a branch with a replayed answer makes its next input request in the same round as its sibling', async () => {
    const play = new Play(async (inputRequester) => {
      const left = async () => {
        await inputRequester.requestInput('a', form('A'));
        await inputRequester.requestInput('c', form('C'));
      };
      await Promise.all([left(), inputRequester.requestInput('b', form('B'))]);
      return 'done';
    });
    const first = await play.call();
    const second = await play.call({ a: accepted('a') }, first.requestState);
    expect(Object.keys(second.inputRequests ?? {}).sort()).toEqual(['b', 'c']);
  });

  test('input requests made early and awaited late', async () => {
    let release = () => {};
    let slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const play = new Play(async (inputRequester) => {
      const a = inputRequester.requestInput('a', form('A'));
      const b = inputRequester.requestInput('b', form('B')).then((answer) => answer);
      const c = inputRequester.requestInput('c', form('C')).finally(() => undefined);
      await slow;
      return `${await value(b)}${await value(a)}${await value(c)}`;
    });
    const call = play.call();
    while (play.clock.waiting.length === 0) await turn();
    await play.clock.advance(1_000);
    const first = await call;
    expect(Object.keys(first.inputRequests ?? {})).toEqual(['a', 'b', 'c']);
    await turn();
    release();
    slow = Promise.resolve();
    const answers = { a: accepted('1'), b: accepted('2'), c: accepted('3') };
    expect(await play.call(answers, first.requestState)).toBe('213');
    expect(play.reported).toEqual([]);
  });

  test('the response carries the input requests unchanged, and a sealed state', async () => {
    shows(
      '2026-07-28/basic/patterns/mrtr/input-requests-optional',
      '2026-07-28/basic/patterns/mrtr/something-asked',
    );
    const request = form('Name?');
    const play = new Play((inputRequester) => inputRequester.requestInput('q', request));
    const outcome = await play.call();
    expect(outcome.resultType).toBe('input_required');
    expect(outcome.inputRequests).toEqual({ q: request });
    expect(outcome.requestState).toMatch(/^[\w-]+$/);
    expect(Object.keys(outcome).sort()).toEqual(['inputRequests', 'requestState', 'resultType']);
  });

  test('keys that are names of Object.prototype are keys like any other', async () => {
    const play = new Play(async (inputRequester) =>
      value(inputRequester.requestInput('__proto__', form('?'))),
    );
    const first = await play.call();
    expect(Object.keys(first.inputRequests ?? {})).toEqual(['__proto__']);
    expect((await play.call({}, first.requestState)).resultType).toBe('input_required');
    const answers = JSON.parse('{"__proto__":{"action":"accept","content":{"value":"ok"}}}') as Answers;
    const second = await play.call({}, first.requestState);
    expect(await play.call(Object.fromEntries(Object.entries(answers)), second.requestState)).toBe('ok');
  });
});

describe('suspension', () => {
  test('aborts the signal of the handler first, and the request stays alive', async () => {
    const seen: unknown[] = [];
    const play = new Play(async (inputRequester, { signal }) => {
      signal.addEventListener('abort', () => seen.push('abort', isSuspension(signal.reason)));
      await inputRequester.requestInput('q', form('?')).catch((error: unknown) => {
        seen.push('rejected', isSuspension(error), error instanceof Error, signal.aborted);
        throw error;
      });
    });
    const request = play.request();
    await play.start(request);
    expect(seen).toEqual(['abort', true, 'rejected', true, false, true]);
    expect(request.signal.aborted).toBe(false);
  });

  test('a signal first looked at afterwards is aborted too', async () => {
    let late: Run | undefined;
    const play = new Play((inputRequester, host) => {
      late = host;
      return inputRequester.requestInput('q', form('?'));
    });
    await play.call();
    expect(isSuspension(late?.signal.reason)).toBe(true);
  });

  test('rethrown from a catch block, it is not reported', async () => {
    const play = new Play(async (inputRequester) => {
      try {
        return await value(inputRequester.requestInput('q', form('?')));
      } catch (error) {
        if (isSuspension(error)) throw error;
        return 'caught';
      }
    });
    expect(await play.through(() => accepted('yes'))).toEqual({ result: 'yes', rounds: [['q']] });
    expect(play.reported).toEqual([]);
  });

  test('swallowed by a catch block, it is reported with tool and key, and the input request is sent nevertheless', async () => {
    const play = new Play(async (inputRequester) => {
      try {
        return await value(inputRequester.requestInput('unit', form('?')));
      } catch {
        return 'default';
      }
    });
    const outcome = await play.call();
    expect(Object.keys(outcome.inputRequests ?? {})).toEqual(['unit']);
    expect(play.reported.map(String)).toEqual([
      expect.stringMatching(/tools\/call "tool".*"unit".*isSuspension/),
    ]);
  });

  test('an error of the handler after it is ignored', async () => {
    const play = new Play(async (inputRequester) => {
      try {
        await inputRequester.requestInput('q', form('?'));
      } finally {
        // biome would call this unsafe, and so it is: authors do it.
        await Promise.reject(new RangeError('clean-up failed'));
      }
    });
    expect((await play.call()).resultType).toBe('input_required');
    expect(play.reported).toEqual([]);
  });

  test('finally runs in every round, and a lock is free in the next', async () => {
    shows('2026-07-28/basic/patterns/mrtr/no-assumption');
    let locked = false;
    let taken = 0;
    const play = new Play(async (inputRequester) => {
      if (locked) throw new RangeError('locked');
      locked = true;
      taken++;
      try {
        return await value(inputRequester.requestInput('q', form('?')));
      } finally {
        await turn();
        await turn();
        locked = false;
      }
    });
    expect(await play.through(() => accepted('yes'))).toEqual({ result: 'yes', rounds: [['q']] });
    expect({ locked, taken, waiting: play.clock.waiting.length }).toEqual({
      locked: false,
      taken: 2,
      waiting: 0,
    });
  });

  test('a handler that does not stop is waited for no longer than the limit', async () => {
    const play = new Play(async (inputRequester) => {
      await Promise.allSettled([inputRequester.requestInput('q', form('?')), new Promise(() => {})]);
    });
    const call = play.call();
    while (play.clock.waiting.length === 0) await turn();
    await play.clock.advance(999);
    const state = Promise.race([call.then(() => 'answered'), turn().then(() => 'waiting')]);
    expect(await state).toBe('waiting');
    await play.clock.advance(1);
    expect((await call).resultType).toBe('input_required');
  });

  test('a race with a timer: the input request is sent, and its answer wins the next round', async () => {
    const play = new Play((inputRequester, { signal }) => {
      const timer = new Promise((resolve, reject) => {
        const stop = play.clock.schedule(() => resolve('timer'), 5_000);
        signal.addEventListener('abort', () => {
          stop();
          reject(signal.reason);
        });
      });
      return Promise.race([value(inputRequester.requestInput('q', form('?'))), timer]);
    });
    expect(await play.through(() => accepted('user'))).toEqual({ result: 'user', rounds: [['q']] });
    expect(play.reported).toEqual([]);
  });

  test('a race with a settled value is over before the input request is sent', async () => {
    const play = new Play((inputRequester) =>
      Promise.race([inputRequester.requestInput('q', form('?')), Promise.resolve('cached')]),
    );
    expect(await play.call()).toBe('cached');
  });

  test('further calls reject with it, and run nothing', async () => {
    const late: unknown[] = [];
    let ran = false;
    const play = new Play(async (inputRequester) => {
      const step = () => {
        ran = true;
      };
      await inputRequester.requestInput('q', form('?')).catch(() => undefined);
      late.push(
        await inputRequester.requestInput('r', form('?')).catch(isSuspension),
        await inputRequester.once('s', step).catch(isSuspension),
      );
      throw new RangeError('ignored');
    });
    expect(Object.keys((await play.call()).inputRequests ?? {})).toEqual(['q']);
    expect({ late, ran }).toEqual({ late: [true, true], ran: false });
  });
});
