import { describe, expect, test } from 'vitest';
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
import type { AskingHost } from './asker.js';
import { isSuspension } from './suspension.js';

handlesEveryRejection();

describe('without a question', () => {
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

  test('a question nobody waited for does not hold up a result that is there', async () => {
    const seen: unknown[] = [];
    const asking: Handler = (asker, { signal }) => {
      asker.ask('q', form('?')).catch((error: unknown) => seen.push(isSuspension(error), signal.aborted));
      return 'done';
    };
    const play = new Play(asking);
    expect(play.start(play.request())).toBe('done');
    const slower = new Play(async (asker, host) => asking(asker, host));
    expect(await slower.call()).toBe('done');
    await turn();
    await turn();
    expect(seen).toEqual([true, false, true, false]);
    expect([...play.reported, ...slower.reported, play.clock.waiting, slower.clock.waiting]).toEqual([0, 0]);
  });
});

describe('rounds', () => {
  test('questions asked side by side travel together', async () => {
    const play = new Play(async (asker) => {
      const [a, b] = await Promise.all([value(asker.ask('a', form('A'))), value(asker.ask('b', form('B')))]);
      return `${a}${b}`;
    });
    expect(await play.through((key) => accepted(key.toUpperCase()))).toEqual({
      result: 'AB',
      rounds: [['a', 'b']],
    });
  });

  test('questions asked one after another take a round each, and earlier answers stay', async () => {
    const play = new Play(async (asker) => {
      const a = await value(asker.ask('a', form('A')));
      const b = await value(asker.ask('b', form(`B after ${a}`)));
      return `${a}${b}${await value(asker.ask('c', form('C')))}`;
    });
    const { result, rounds } = await play.through((key) => accepted(key));
    expect({ result, rounds }).toEqual({ result: 'abc', rounds: [['a'], ['b'], ['c']] });
    expect(play.reported).toEqual([]);
  });

  test('what is asked after awaiting settled things still joins the turn, in every branch', async () => {
    const play = new Play(async (asker) => {
      const first = asker.ask('a', form('A'));
      await Promise.resolve();
      await asker.once('s', () => 1);
      await Promise.all([
        first,
        asker.ask('b', form('B')),
        Promise.resolve().then(() => asker.ask('c', form('C'))),
      ]);
      return 'done';
    });
    expect((await play.through(accepted)).rounds).toEqual([['a', 'b', 'c']]);
  });

  test('a branch whose answer is replayed still asks in the same round as its sibling', async () => {
    const play = new Play(async (asker) => {
      const left = async () => {
        await asker.ask('a', form('A'));
        await asker.ask('c', form('C'));
      };
      await Promise.all([left(), asker.ask('b', form('B'))]);
      return 'done';
    });
    const first = await play.call();
    const second = await play.call({ a: accepted('a') }, first.requestState);
    expect(Object.keys(second.inputRequests ?? {}).sort()).toEqual(['b', 'c']);
  });

  test('questions made early and awaited late', async () => {
    let release = () => {};
    let slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const play = new Play(async (asker) => {
      const a = asker.ask('a', form('A'));
      const b = asker.ask('b', form('B')).then((answer) => answer);
      const c = asker.ask('c', form('C')).finally(() => undefined);
      await slow;
      return `${await value(b)}${await value(a)}${await value(c)}`;
    });
    const call = play.call();
    while (play.clock.waiting === 0) await turn();
    play.clock.advance(1_000);
    const first = await call;
    expect(Object.keys(first.inputRequests ?? {})).toEqual(['a', 'b', 'c']);
    await turn();
    release();
    slow = Promise.resolve();
    const answers = { a: accepted('1'), b: accepted('2'), c: accepted('3') };
    expect(await play.call(answers, first.requestState)).toBe('213');
    expect(play.reported).toEqual([]);
  });

  test('the answer carries the questions as they were asked, and a sealed state', async () => {
    const request = form('Name?');
    const play = new Play((asker) => asker.ask('q', request));
    const outcome = await play.call();
    expect(outcome.resultType).toBe('input_required');
    expect(outcome.inputRequests).toEqual({ q: request });
    expect(outcome.requestState).toMatch(/^[\w-]+$/);
    expect(Object.keys(outcome).sort()).toEqual(['inputRequests', 'requestState', 'resultType']);
  });

  test('keys that are names of Object.prototype are keys like any other', async () => {
    const play = new Play(async (asker) => value(asker.ask('__proto__', form('?'))));
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
    const play = new Play(async (asker, { signal }) => {
      signal.addEventListener('abort', () => seen.push('abort', isSuspension(signal.reason)));
      await asker.ask('q', form('?')).catch((error: unknown) => {
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
    let late: AskingHost | undefined;
    const play = new Play((asker, host) => {
      late = host;
      return asker.ask('q', form('?'));
    });
    await play.call();
    expect(isSuspension(late?.signal.reason)).toBe(true);
  });

  test('rethrown from a catch block, it is no news', async () => {
    const play = new Play(async (asker) => {
      try {
        return await value(asker.ask('q', form('?')));
      } catch (error) {
        if (isSuspension(error)) throw error;
        return 'caught';
      }
    });
    expect(await play.through(() => accepted('yes'))).toEqual({ result: 'yes', rounds: [['q']] });
    expect(play.reported).toEqual([]);
  });

  test('swallowed by a catch block, it is reported with tool and key, and the question goes out all the same', async () => {
    const play = new Play(async (asker) => {
      try {
        return await value(asker.ask('unit', form('?')));
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
    const play = new Play(async (asker) => {
      try {
        await asker.ask('q', form('?'));
      } finally {
        // biome would call this unsafe, and so it is: authors do it.
        await Promise.reject(new RangeError('clean-up failed'));
      }
    });
    expect((await play.call()).resultType).toBe('input_required');
    expect(play.reported).toEqual([]);
  });

  test('finally runs in every round, and a lock is free in the next', async () => {
    let locked = false;
    let taken = 0;
    const play = new Play(async (asker) => {
      if (locked) throw new RangeError('locked');
      locked = true;
      taken++;
      try {
        return await value(asker.ask('q', form('?')));
      } finally {
        await turn();
        await turn();
        locked = false;
      }
    });
    expect(await play.through(() => accepted('yes'))).toEqual({ result: 'yes', rounds: [['q']] });
    expect({ locked, taken, waiting: play.clock.waiting }).toEqual({ locked: false, taken: 2, waiting: 0 });
  });

  test('a handler that does not stop is waited for no longer than the limit', async () => {
    const play = new Play(async (asker) => {
      await Promise.allSettled([asker.ask('q', form('?')), new Promise(() => {})]);
    });
    const call = play.call();
    while (play.clock.waiting === 0) await turn();
    play.clock.advance(999);
    const state = Promise.race([call.then(() => 'answered'), turn().then(() => 'waiting')]);
    expect(await state).toBe('waiting');
    play.clock.advance(1);
    expect((await call).resultType).toBe('input_required');
  });

  test('a race with a timer: the question goes out, and its answer wins the next round', async () => {
    const play = new Play((asker, { signal }) => {
      const timer = new Promise((resolve, reject) => {
        const stop = play.clock.schedule(() => resolve('timer'), 5_000);
        signal.addEventListener('abort', () => {
          stop();
          reject(signal.reason);
        });
      });
      return Promise.race([value(asker.ask('q', form('?'))), timer]);
    });
    expect(await play.through(() => accepted('user'))).toEqual({ result: 'user', rounds: [['q']] });
    expect(play.reported).toEqual([]);
  });

  test('a race with something that is there already is over before the question goes out', async () => {
    const play = new Play((asker) => Promise.race([asker.ask('q', form('?')), Promise.resolve('cached')]));
    expect(await play.call()).toBe('cached');
  });

  test('further calls reject with it, and run nothing', async () => {
    const late: unknown[] = [];
    let ran = false;
    const play = new Play(async (asker) => {
      const step = () => {
        ran = true;
      };
      await asker.ask('q', form('?')).catch(() => undefined);
      late.push(
        await asker.ask('r', form('?')).catch(isSuspension),
        await asker.once('s', step).catch(isSuspension),
      );
      throw new RangeError('ignored');
    });
    expect(Object.keys((await play.call()).inputRequests ?? {})).toEqual(['q']);
    expect({ late, ran }).toEqual({ late: [true, true], ran: false });
  });
});
