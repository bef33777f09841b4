import { describe, expect, test } from 'vitest';
import { accepted, form, handlesEveryRejection, Play, turn, value } from '../../test/play.js';
import { isSuspension } from './input-promise.js';

handlesEveryRejection();

describe('once', () => {
  test('beside an input request: runs the side effect once, and replays its value', async () => {
    let effects = 0;
    const play = new Play(async (inputRequester) => {
      const id = await inputRequester.once('id', () => ({ at: ++effects, gone: undefined }));
      const nothing = await inputRequester.once('nothing', async () => undefined);
      return [id, nothing, await value(inputRequester.requestInput('q', form('?')))];
    });
    const { requestState } = await play.call();
    expect(await play.call({ q: accepted('yes') }, requestState)).toEqual([{ at: 1 }, undefined, 'yes']);
    expect(effects).toBe(1);
  });

  test('does not run in a round that has ended, when its handler goes on', async () => {
    const ran: string[] = [];
    let late: unknown;
    const play = new Play(async (run) => {
      await run.requestInput('q', form('?')).catch(() => {});
      late = await run.once('late', () => ran.push('late')).catch((error: unknown) => error);
    });
    await play.call();
    expect(isSuspension(late)).toBe(true);
    expect(ran).toEqual([]);
  });

  test('in flight beside an input request, it settles first: unaborted, and remembered', async () => {
    let effects = 0;
    let charge = (_: string) => {};
    let abortedMeanwhile: boolean | undefined;
    const play = new Play(async (inputRequester, { signal }) => {
      const paid = inputRequester.once('charge', async () => {
        effects++;
        const receipt = await new Promise<string>((resolve) => {
          charge = resolve;
        });
        abortedMeanwhile = signal.aborted;
        return receipt;
      });
      return [await value(inputRequester.requestInput('q', form('?'))), await paid];
    });
    const call = play.call();
    while (play.clock.waiting.length === 0) await turn();
    expect(await Promise.race([call.then(() => 'answered'), turn().then(() => 'waiting')])).toBe('waiting');
    charge('receipt');
    const first = await call;
    expect({ abortedMeanwhile, waiting: play.clock.waiting.length }).toEqual({
      abortedMeanwhile: false,
      waiting: 0,
    });
    expect(await play.call({ q: accepted('yes') }, first.requestState)).toEqual(['yes', 'receipt']);
    expect(effects).toBe(1);
  });

  test('in flight for longer than the limit, its signal aborts; the answer still waits for its value', async () => {
    let effects = 0;
    let settle = () => {};
    const play = new Play(async (inputRequester, { signal }) => {
      signal.addEventListener('abort', () => play.reported.push('aborted'));
      const step = async () => {
        await new Promise<void>((resolve) => {
          settle = resolve;
        });
        return ++effects;
      };
      return Promise.all([inputRequester.requestInput('q', form('?')), inputRequester.once('slow', step)]);
    });
    const call = play.call();
    while (play.clock.waiting.length === 0) await turn();
    await play.clock.advance(9_999);
    expect(play.reported).toEqual([]);
    await play.clock.advance(1);
    expect(play.reported).toEqual(['aborted']);
    for (let at = 0; at < 5; at++) await turn();
    settle();
    const { requestState } = await call;
    expect(await play.call({ q: accepted('yes') }, requestState)).toEqual([accepted('yes'), 1]);
  });

  test('a step that failed runs again, and one that runs is shared', async () => {
    let runs = 0;
    const play = new Play(async (inputRequester) => {
      const failed = await inputRequester
        .once('s', () => Promise.reject(new RangeError(`run ${++runs}`)))
        .catch(String);
      const [one, other] = await Promise.all([
        inputRequester.once('s', async () => ++runs),
        inputRequester.once('s', async () => ++runs),
      ]);
      return [failed, one, other];
    });
    expect(await play.call()).toEqual(['RangeError: run 1', 2, 2]);
  });

  test('the first run receives the same value as later ones: the JSON of the value', async () => {
    const play = new Play((inputRequester) =>
      inputRequester.once('s', () => ({ at: new URL('https://x.example'), list: [undefined] })),
    );
    expect(await play.call()).toStrictEqual({ at: 'https://x.example/', list: [null] });
  });

  test('a value JSON does not have is refused', async () => {
    const play = new Play((inputRequester) => inputRequester.once('s', () => () => 1));
    await expect(play.call()).rejects.toThrow('once("s") must give a value that JSON has');
    const big = new Play((inputRequester) => inputRequester.once('s', () => 1n));
    await expect(big.call()).rejects.toThrow('once("s") must give a value that JSON has');
  });

  test('rejects an input request inside it at once', async () => {
    const play = new Play((inputRequester) =>
      inputRequester.once('step', () => inputRequester.requestInput('q', form('?'))),
    );
    await expect(play.call()).rejects.toThrow('"q" is asked inside once("step")');
  });

  test('ends in a suspension when an input request inside it comes late', async () => {
    const play = new Play((inputRequester) =>
      inputRequester.once('step', async () => {
        await Promise.resolve();
        return inputRequester.requestInput('q', form('?'));
      }),
    );
    const call = play.call();
    while (play.clock.waiting.length === 0) await turn();
    await play.clock.advance(10_000);
    expect(Object.keys((await call).inputRequests ?? {})).toEqual(['q']);
  });
});

describe('cancellation', () => {
  test('before the turn is over: the input request rejects with the reason and nothing is sealed', async () => {
    const rejected: unknown[] = [];
    const play = new Play(async (inputRequester) => {
      void inputRequester.requestInput('dropped', form('?'));
      await inputRequester.requestInput('q', form('?')).catch((error: unknown) => rejected.push(error));
      await inputRequester.requestInput('r', form('?')).catch((error: unknown) => rejected.push(error));
      return 'over';
    });
    const request = play.request();
    const call = play.start(request);
    request.cancel('enough');
    expect(await call).toBe('over');
    expect(rejected.map(String)).toEqual(Array(2).fill(expect.stringContaining('enough')));
    expect(rejected.some(isSuspension)).toBe(false);
  });

  test('while suspended: there is no response to send', async () => {
    const play = new Play(async (inputRequester) => {
      await Promise.allSettled([inputRequester.requestInput('q', form('?')), new Promise(() => {})]);
    });
    const request = play.request();
    const call = play.start(request) as Promise<unknown>;
    while (play.clock.waiting.length === 0) await turn();
    request.cancel('enough');
    await play.clock.advance(1_000);
    await expect(call).rejects.toThrow('enough');
    expect(play.clock.waiting).toEqual([]);
  });

  test('before state was opened: the handler does not run', async () => {
    let runs = 0;
    const play = new Play((inputRequester) => {
      runs++;
      return inputRequester.requestInput('q', form('?'));
    });
    const { requestState } = await play.call();
    const request = play.request({ requestState });
    const call = play.start(request) as Promise<unknown>;
    request.cancel('enough');
    await expect(call).rejects.toThrow('enough');
    expect(runs).toBe(1);
  });

  test('a dropped step that fails because of it causes no other failure', async () => {
    const play = new Play(async (inputRequester, { signal }) => {
      void inputRequester.once(
        's',
        () =>
          new Promise((_, reject) =>
            signal.addEventListener('abort', () => reject(new RangeError('aborted'))),
          ),
      );
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return 'over';
    });
    const request = play.request();
    const call = play.start(request);
    request.cancel();
    expect(await call).toBe('over');
  });
});
