import { systemClock } from '@tenon/foundation';
import {
  type ClientCapabilities,
  type InputRequest,
  type Revision,
  revisions,
  SessionError,
} from '@tenon/mcp-protocol';
import { type Conversation, defaultLimits, IncomingRequest, type RequestOptions } from '@tenon/mcp-session';
import { beforeAll, describe, expect, test } from 'vitest';
import { handlesEveryRejection, turn } from '../../test/play.js';
import { type RoundsBounds, roundsBounds } from '../core/limits.js';
import { createSealer } from '../sealing/sealing.js';
import { isSuspension } from './input-promise.js';
import { LiveRun } from './live-run.js';
import { loadRunCode } from './loading.js';
import type { Run } from './run.js';

interface Sent {
  readonly method: string;
  readonly params: { readonly [key: string]: unknown };
  readonly options: RequestOptions;
  readonly answer: (result: unknown) => void;
  readonly fail: (error: unknown) => void;
}

const everything: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: {},
};
const handshakes = revisions.filter(({ rules }) => rules.inputRequestMode === 'request');
const withElicitation = handshakes.filter(({ rules }) => rules.inputFeatures.elicit);
const newest = handshakes[0]!;
const roots: InputRequest = { method: 'roots/list' };
const page: InputRequest = {
  method: 'elicitation/create',
  params: { mode: 'url', message: '?', url: 'https://x.example' },
};
const form: InputRequest = {
  method: 'elicitation/create',
  params: { message: '?', requestedSchema: { type: 'object', properties: {} } },
};

/** A request of a peer that is asked back, and what it was asked. */
function session(revision: Revision = newest, limits: Partial<RoundsBounds> = {}) {
  const sent: Sent[] = [];
  const reported: unknown[] = [];
  const conversation = {
    request: (method: string, params: Sent['params'], options: RequestOptions) =>
      new Promise((answer, fail) => {
        options.signal?.addEventListener('abort', () => fail(new SessionError('cancelled', 'taken back')));
        sent.push({ method, params, options, answer, fail });
      }),
  } as unknown as Conversation;
  const call = {
    id: 1,
    method: 'tools/call',
    params: { name: 'tool' },
    revision,
    from: { clientCapabilities: everything },
  };
  const host = { side: 'server', clock: systemClock, limits: defaultLimits, conversation } as const;
  const request = new IncomingRequest(call, { facts: {}, send: () => undefined }, host);
  const options = {
    sealer: createSealer(),
    limits: { ...roundsBounds, ...limits },
    onError: (error: unknown) => void reported.push(error),
  };
  const runHost = (handler: (host: Run) => unknown) => new LiveRun(options, request).run(handler);
  const run = (handler: (inputRequester: Run) => unknown) => runHost((live) => handler(live));
  return { request, sent, run, runHost, reported };
}

handlesEveryRejection();
beforeAll(() => loadRunCode());

test.each(handshakes)(
  '$id: an input request is a separate request, and its answer reaches the handler',
  async (revision) => {
    const { sent, run } = session(revision);
    const result = run(async (inputRequester) => [
      await inputRequester.requestInput('r', roots),
      await inputRequester.once('s', () => 1),
    ]);
    await turn();
    expect(sent.map(({ method, params }) => [method, params])).toEqual([['roots/list', {}]]);
    sent[0]?.answer({ roots: [] });
    expect(await result).toEqual([{ roots: [] }, 1]);
  },
);

test.each(withElicitation)('$id: a form is sent as it is', async (revision) => {
  const { sent, run } = session(revision);
  const result = run((inputRequester) => inputRequester.requestInput('f', form));
  await turn();
  expect(sent[0]?.params).toEqual(form.params);
  sent[0]?.answer({ action: 'decline' });
  expect(await result).toEqual({ action: 'decline' });
});

test('adds an id to a URL elicitation in revisions with ids, unless it has one', async () => {
  const { sent, run } = session();
  expect(newest.rules.elicitationIds).toBe(true);
  const named = { ...page, params: { ...page.params, elicitationId: 'mine' } } as InputRequest;
  void run((inputRequester) =>
    Promise.all([
      inputRequester.requestInput('a', page),
      inputRequester.requestInput('b', page),
      inputRequester.requestInput('c', named),
    ]),
  );
  await turn();
  const ids = sent.map(({ params }) => params.elicitationId);
  expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(new Set(ids).size).toBe(3);
  expect(ids[2]).toBe('mine');
  for (const { answer } of sent) answer({ action: 'accept' });
});

test('limits only the total time of the answer of people', async () => {
  const { sent, run } = session();
  void run((inputRequester) => inputRequester.requestInput('f', form));
  await turn();
  expect(sent[0]?.options).toMatchObject({ timeout: Number.POSITIVE_INFINITY });
  expect(sent[0]?.options?.total).toBeUndefined();
  sent[0]?.answer({ action: 'cancel' });
});

describe('misuse', () => {
  test('rejects two input requests with the same key', async () => {
    const { sent, run } = session();
    const result = run((inputRequester) =>
      Promise.all([inputRequester.requestInput('q', form), inputRequester.requestInput('q', roots)]),
    );
    await expect(result).rejects.toThrow(/"q" was asked with before: keys must be unique/);
    expect(sent).toHaveLength(1);
  });

  test('rejects an input request inside once', async () => {
    const { run } = session();
    await expect(
      run((inputRequester) => inputRequester.once('s', () => inputRequester.requestInput('q', form))),
    ).rejects.toThrow(/inside once\("s"\)/);
  });

  test('once runs once per key, and again after a failure', async () => {
    let runs = 0;
    const { run } = session();
    const result = run(async (inputRequester) => {
      const failed = inputRequester
        .once('s', () => Promise.reject(new RangeError(`run ${++runs}`)))
        .catch(String);
      return [
        await failed,
        await inputRequester.once('s', () => ++runs),
        await inputRequester.once('s', () => ++runs),
      ];
    });
    expect(await result).toEqual(['RangeError: run 1', 2, 2]);
  });
});

describe('a peer that vanishes', () => {
  const gone = () => new SessionError('closed', 'The connection is closed.');

  test('rejects the input request that the handler awaits', async () => {
    const { sent, run } = session();
    const result = run((inputRequester) => inputRequester.requestInput('q', form));
    await turn();
    sent[0]?.fail(gone());
    await expect(result).rejects.toThrow('closed');
    await expect(result).rejects.not.toSatisfy(isSuspension);
  });

  test('causes no unhandled rejection when an input request is dropped, or awaited late', async () => {
    const { sent, run } = session();
    let go = () => {};
    const result = run(async (inputRequester) => {
      void inputRequester.requestInput('dropped', form);
      void inputRequester
        .requestInput('chained', form)
        .then((answer) => answer)
        .finally(() => undefined);
      const late = inputRequester.requestInput('late', form);
      await new Promise<void>((resolve) => {
        go = resolve;
      });
      return late.catch(String);
    });
    await turn();
    for (const { fail } of sent) fail(gone());
    await turn();
    await turn();
    go();
    expect(await result).toContain('closed');
  });
});

describe('the end of the handler', () => {
  test('cancels its open input requests', async () => {
    const { sent, run } = session();
    expect(run((inputRequester) => void inputRequester.requestInput('q', form))).toBe(undefined);
    await turn();
    expect(sent.map(({ options }) => options.signal?.aborted)).toEqual([true]);
    const later = session();
    expect(
      await later.runHost(async (host) => {
        await Promise.resolve();
        void host.requestInput('q', form).then(() => 'never');
        await turn();
        return 'done';
      }),
    ).toBe('done');
    await turn();
    expect(later.sent.map(({ options }) => options.signal?.aborted)).toEqual([true]);
  });

  test('by a throw also cancels them', async () => {
    const { sent, run } = session();
    expect(() =>
      run((inputRequester) => {
        void inputRequester.requestInput('q', form);
        throw new RangeError('no');
      }),
    ).toThrow('no');
    expect(sent[0]?.options.signal?.aborted).toBe(true);
  });

  test('does not abort the signal of the request', async () => {
    const { request, run } = session();
    expect(run((inputRequester) => void inputRequester.requestInput('q', form))).toBe(undefined);
    expect(request.signal.aborted).toBe(false);
  });
});

test('a cancelled request cancels its input requests', async () => {
  const { request, sent, run } = session();
  const result = run((inputRequester) => inputRequester.requestInput('q', form));
  await turn();
  request.cancel('enough');
  expect(sent[0]?.options.signal?.aborted).toBe(true);
  await expect(result).rejects.toThrow('taken back');
});

test('a cancelled request makes no input requests', async () => {
  const { request, sent, run } = session();
  request.cancel('enough');
  await expect(run((inputRequester) => inputRequester.requestInput('q', form))).rejects.toThrow('enough');
  expect(sent).toEqual([]);
});

test('runs a handler without input requests directly', async () => {
  const { runHost } = session();
  const promise = Promise.resolve('later');
  expect(runHost(() => 'now')).toBe('now');
  expect(runHost(() => promise)).toBe(promise);
});

describe('limits', () => {
  const declined = { action: 'decline' };

  test('rejects one request too many when they follow one another, by tool and limit', async () => {
    const { sent, run } = session(newest, { rounds: 2 });
    const result = run(async (inputRequester) => {
      for (let turns = 0; ; turns++) await inputRequester.requestInput(`q${turns}`, form);
    });
    for (const index of [0, 1]) {
      await turn();
      sent[index]?.answer(declined);
    }
    await expect(result).rejects.toMatchObject({
      reason: 'limit',
      message: expect.stringMatching(/tools\/call "tool" asks for input more than 2 times/),
    });
    expect(sent).toHaveLength(2);
  });

  test('counts requests that wait at the same time as one round, of a bounded size', async () => {
    const { sent, run } = session(newest, { rounds: 2, inputRequests: 3 });
    const three = (inputRequester: Run, name: string) =>
      Promise.all([1, 2, 3].map((each) => inputRequester.requestInput(`${name}${each}`, form)));
    const result = run(async (inputRequester) => {
      await three(inputRequester, 'a');
      await three(inputRequester, 'b');
      return 'done';
    });
    await turn();
    for (const { answer } of sent) answer(declined);
    await turn();
    for (const { answer } of sent) answer(declined);
    expect(await result).toBe('done');
    expect(sent).toHaveLength(6);

    const more = session(newest, { inputRequests: 2 });
    await expect(more.run((inputRequester) => three(inputRequester, 'c'))).rejects.toMatchObject({
      reason: 'limit',
      message: expect.stringMatching(/tools\/call "tool" makes more than 2 input requests at once/),
    });
  });
});

describe('a request that is never awaited', () => {
  const named =
    /^TypeError: The handler of tools\/call "tool" returned without awaiting the input request "q"/;
  const answer = (inputRequester: Run) => inputRequester.track('q', inputRequester.requestInput('q', form));

  test('is reported with tool and key, and cancelled', async () => {
    const { sent, run, reported } = session();
    expect(run((inputRequester) => void answer(inputRequester))).toBe(undefined);
    expect(reported.map(String)).toEqual([expect.stringMatching(named)]);
    expect(sent[0]?.options.signal?.aborted).toBe(true);
  });

  test('is reported when it was answered, and when its failure was lost', async () => {
    for (const outcome of ['answer', 'fail'] as const) {
      const { sent, run, reported } = session();
      const result = run(async (inputRequester) => {
        void answer(inputRequester);
        await turn();
        sent[0]?.[outcome](new SessionError('refused', 'No.'));
        await turn();
        return 'done';
      });
      expect(await result).toBe('done');
      expect(reported.map(String)).toEqual([expect.stringMatching(named)]);
      const cause = (reported[0] as Error).cause;
      expect(cause === undefined ? cause : String(cause)).toBe(
        outcome === 'fail' ? 'SessionError: No.' : undefined,
      );
    }
  });

  test('is not reported when it lost a race, was awaited late, or the handler threw', async () => {
    const { sent, run, reported } = session();
    expect(
      await run((inputRequester) => Promise.race([answer(inputRequester), Promise.resolve('cached')])),
    ).toBe('cached');
    const late = session();
    const result = late.run(async (inputRequester) => {
      const early = answer(inputRequester);
      await turn();
      late.sent[0]?.answer(declinedAnswer);
      await turn();
      return early;
    });
    expect(await result).toEqual(declinedAnswer);
    const thrown = session();
    const failing = thrown.run(async (inputRequester) => {
      void answer(inputRequester);
      throw new RangeError('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect([...reported, ...late.reported, ...thrown.reported]).toEqual([]);
    expect(sent).toHaveLength(1);
  });

  test('is reported when only something made of it was dropped, and it failed', async () => {
    const { sent, run, reported } = session();
    const result = run(async (inputRequester) => {
      void answer(inputRequester).then((given) => given);
      await turn();
      sent[0]?.fail(new SessionError('invalid-answer', 'Not a form.'));
      await turn();
      return 'done';
    });
    expect(await result).toBe('done');
    expect(reported.map(String)).toEqual([
      expect.stringMatching(/tools\/call "tool" does not handle.*"q" failed \(Not a form\.\)/),
    ]);
  });

  test('is reported beside a once step that was awaited', async () => {
    const { run, reported } = session();
    const result = run(async (inputRequester) => {
      void answer(inputRequester);
      return inputRequester.once('s', () => 'step');
    });
    expect(await result).toBe('step');
    expect(reported.map(String)).toEqual([expect.stringMatching(named)]);
  });
});

const declinedAnswer = { action: 'decline' };
