import {
  type ClientCapabilities,
  type InputRequest,
  type Revision,
  revisions,
  SessionError,
} from '@tenon/mcp-protocol';
import {
  type Conversation,
  defaultLimits,
  IncomingRequest,
  type RequestOptions,
  systemClock,
} from '@tenon/mcp-session';
import { describe, expect, test } from 'vitest';
import { handlesEveryRejection, turn } from '../../test/play.js';
import type { Asker } from './asker.js';
import { runLive } from './live.js';
import { isSuspension } from './suspension.js';

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
const handshakes = revisions.filter(({ rules }) => rules.serverAsks === 'request');
const withElicitation = handshakes.filter(({ rules }) => rules.asks.elicit);
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
function session(revision: Revision = newest) {
  const sent: Sent[] = [];
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
  const run = (handler: (asker: Asker) => unknown) => runLive(request, (live) => handler(live.asker()), 512);
  return { request, sent, run };
}

handlesEveryRejection();

test.each(handshakes)(
  '$id: a question is a request of its own, and its answer comes back to the handler',
  async (revision) => {
    const { sent, run } = session(revision);
    const result = run(async (asker) => [await asker.ask('r', roots), await asker.once('s', () => 1)]);
    await turn();
    expect(sent.map(({ method, params }) => [method, params])).toEqual([['roots/list', {}]]);
    sent[0]?.answer({ roots: [] });
    expect(await result).toEqual([{ roots: [] }, 1]);
  },
);

test.each(withElicitation)('$id: a form is sent as it is', async (revision) => {
  const { sent, run } = session(revision);
  const result = run((asker) => asker.ask('f', form));
  await turn();
  expect(sent[0]?.params).toEqual(form.params);
  sent[0]?.answer({ action: 'decline' });
  expect(await result).toEqual({ action: 'decline' });
});

test('a page gets an id of its own where the revision has ids, unless it has one', async () => {
  const { sent, run } = session();
  expect(newest.rules.elicitationIds).toBe(true);
  const named = { ...page, params: { ...page.params, elicitationId: 'mine' } } as InputRequest;
  void run((asker) => Promise.all([asker.ask('a', page), asker.ask('b', page), asker.ask('c', named)]));
  await turn();
  const ids = sent.map(({ params }) => params.elicitationId);
  expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(new Set(ids).size).toBe(3);
  expect(ids[2]).toBe('mine');
  for (const { answer } of sent) answer({ action: 'accept' });
});

test('people may take their time: only the total counts', async () => {
  const { sent, run } = session();
  void run((asker) => asker.ask('f', form));
  await turn();
  expect(sent[0]?.options).toMatchObject({
    timeout: defaultLimits.requestTotal,
    total: defaultLimits.requestTotal,
  });
  sent[0]?.answer({ action: 'cancel' });
});

describe('misuse', () => {
  test('two questions may not share a key', async () => {
    const { sent, run } = session();
    const result = run((asker) => Promise.all([asker.ask('q', form), asker.ask('q', roots)]));
    await expect(result).rejects.toThrow(/"q" was asked with before: keys must be unique/);
    expect(sent).toHaveLength(1);
  });

  test('a question inside once is refused here too', async () => {
    const { run } = session();
    await expect(run((asker) => asker.once('s', () => asker.ask('q', form)))).rejects.toThrow(
      /inside once\("s"\)/,
    );
  });

  test('once runs once per key, and again after a failure', async () => {
    let runs = 0;
    const { run } = session();
    const result = run(async (asker) => {
      const failed = asker.once('s', () => Promise.reject(new RangeError(`run ${++runs}`))).catch(String);
      return [await failed, await asker.once('s', () => ++runs), await asker.once('s', () => ++runs)];
    });
    expect(await result).toEqual(['RangeError: run 1', 2, 2]);
  });
});

describe('a peer that vanishes', () => {
  const gone = () => new SessionError('closed', 'The connection is closed.');

  test('rejects the question the handler waits for', async () => {
    const { sent, run } = session();
    const result = run((asker) => asker.ask('q', form));
    await turn();
    sent[0]?.fail(gone());
    await expect(result).rejects.toThrow('closed');
    await expect(result).rejects.not.toSatisfy(isSuspension);
  });

  test('harms nobody who dropped a question, or awaits it late', async () => {
    const { sent, run } = session();
    let go = () => {};
    const result = run(async (asker) => {
      void asker.ask('dropped', form);
      void asker
        .ask('chained', form)
        .then((answer) => answer)
        .finally(() => undefined);
      const late = asker.ask('late', form);
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
  test('takes back what it still asks', async () => {
    const { sent, run } = session();
    expect(run((asker) => void asker.ask('q', form))).toBe(undefined);
    await turn();
    expect(sent.map(({ options }) => options.signal?.aborted)).toEqual([true]);
    const later = session();
    expect(
      await runLive(
        later.request,
        async (host) => {
          await Promise.resolve();
          void host
            .asker()
            .ask('q', form)
            .then(() => 'never');
          await turn();
          return 'done';
        },
        1,
      ),
    ).toBe('done');
    await turn();
    expect(later.sent.map(({ options }) => options.signal?.aborted)).toEqual([true]);
  });

  test('by a throw does so too', async () => {
    const { sent, run } = session();
    expect(() =>
      run((asker) => {
        void asker.ask('q', form);
        throw new RangeError('no');
      }),
    ).toThrow('no');
    expect(sent[0]?.options.signal?.aborted).toBe(true);
  });

  test('leaves the signal of the request alone', async () => {
    const { request, run } = session();
    expect(run((asker) => void asker.ask('q', form))).toBe(undefined);
    expect(request.signal.aborted).toBe(false);
  });
});

test('a cancelled request takes its questions with it', async () => {
  const { request, sent, run } = session();
  const result = run((asker) => asker.ask('q', form));
  await turn();
  request.cancel('enough');
  expect(sent[0]?.options.signal?.aborted).toBe(true);
  await expect(result).rejects.toThrow('taken back');
});

test('a request that is cancelled already asks nothing', async () => {
  const { request, sent, run } = session();
  request.cancel('enough');
  await expect(run((asker) => asker.ask('q', form))).rejects.toThrow('enough');
  expect(sent).toEqual([]);
});

test('a handler that asks nothing is run as it is', async () => {
  const { request } = session();
  const promise = Promise.resolve('later');
  expect(runLive(request, () => 'now', 1)).toBe('now');
  expect(runLive(request, () => promise, 1)).toBe(promise);
});

test('a handler asks so often and no more, whatever it is answered', async () => {
  const { request, sent } = session();
  const result = runLive(
    request,
    async (host) => {
      for (let turns = 0; ; turns++) await host.asker().ask(`q${turns}`, form);
    },
    2,
  );
  for (const index of [0, 1]) {
    await turn();
    sent[index]?.answer({ action: 'decline' });
  }
  await expect(result).rejects.toMatchObject({
    reason: 'limit',
    message: expect.stringContaining('2 questions'),
  });
  expect(sent).toHaveLength(2);
});
