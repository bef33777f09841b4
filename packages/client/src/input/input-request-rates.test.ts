import { systemClock } from '@tenon/foundation';
import { type Revision, revisions, type UnknownObject } from '@tenon/mcp-protocol';
import { revision20250326, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it, vi } from 'vitest';
import { showsBy } from '../../../../tooling/suite/shows.js';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { linked } from '../../test/linked.js';
import { ScriptedServer, type WireMessage } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';
import type { ClientOptions } from '../options.js';
import { InputRequestLimiter, type InputRequestRates } from './input-request-rates.js';

const sampling: UnknownObject = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }],
  maxTokens: 1,
};
const form: UnknownObject = {
  message: 'Who?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
};

/** The kinds of input request, by the name of their rate. */
const sorts = [
  { name: 'samples', method: 'sampling/createMessage', params: sampling },
  { name: 'inputRequests', method: 'elicitation/create', params: form },
  { name: 'roots', method: 'roots/list', params: {} },
] as const;

const cases = revisions.flatMap((revision) =>
  sorts
    .filter(({ method }) => revision.inputRequests.has(method))
    .map((sort) => ({ revision, id: revision.id, ...sort })),
);

/** A client that answers every input request and counts its handler calls. In 2026-07-28, the requests are in call results. */
async function asked(revision: Revision, given: Partial<ClientOptions>) {
  const calls = { handled: 0 };
  const onError = vi.fn();
  const clock = new FakeClock();
  let round: UnknownObject = {};
  const server = new ScriptedServer(
    serverScript(revision, {
      'tools/call': ({ inputResponses }) =>
        inputResponses === undefined
          ? { resultType: 'input_required', inputRequests: round }
          : { resultType: 'complete', content: [] },
    }),
  );
  const count = <T>(answer: T): T => {
    calls.handled++;
    return answer;
  };
  const client = await linked(server, {
    onSample: () => count({ role: 'assistant', content: { type: 'text', text: 'Hi' }, model: 'm' }),
    onElicit: () => count({ action: 'decline' }),
    onElicitUrl: () => count({ action: 'decline' }),
    roots: () => count([]),
    onError,
    clock,
    ...given,
  });
  const ask = async (method: string, params: UnknownObject): Promise<unknown> => {
    if (revision.lifecycle === 'handshake') return outcome(await server.peer.ask(method, params));
    round = { q: { method, params } };
    return client.callTool('t').then(
      () => 'answered',
      (error: unknown) => error,
    );
  };
  const askAll = (questions: UnknownObject) => {
    round = questions;
    return client.callTool('t');
  };
  return { client, server, calls, onError, clock, ask, askAll };
}

const outcome = ({ error }: WireMessage): unknown => error ?? 'answered';

const refused = (revision: Revision, method: string, { wait, text }: { wait: number; text: string }) => {
  const message = `The server asks ${method} too often: it may again in ${text}.`;
  const error = { code: -31004, message, data: { retryAfterMs: wait } };
  return revision.lifecycle === 'handshake'
    ? error
    : expect.objectContaining({
        name: 'SessionError',
        reason: 'limit',
        message,
        cause: expect.objectContaining(error),
      });
};

describe.each(cases)('$name in $id', ({ revision, name, method, params }) => {
  const rates: InputRequestRates = { [name]: { perSecond: 2, burst: 3 } };

  it('are refused when they come too often, unseen by any handler, and may come again in time', async () => {
    showsBy(`${revision.id} ${name}`, {
      '2024-11-05 samples': '2024-11-05/client/sampling/rate-limited',
      '2026-07-28 samples': '2026-07-28/client/sampling/rate-limit',
    });
    const { ask, calls, clock } = await asked(revision, { rates });
    for (let time = 0; time < 3; time++) expect(await ask(method, params)).toBe('answered');
    expect(await ask(method, params)).toEqual(refused(revision, method, { wait: 500, text: '1 s' }));
    expect(calls.handled).toBe(3);
    await clock.advance(500);
    expect(await ask(method, params)).toBe('answered');
    expect(await ask(method, params)).toEqual(refused(revision, method, { wait: 500, text: '1 s' }));
    expect(calls.handled).toBe(4);
  });

  it('do not count for one another', async () => {
    const { ask } = await asked(revision, { rates });
    for (let time = 0; time < 4; time++) await ask(method, params);
    for (const other of cases.filter((one) => one.revision === revision && one.name !== name)) {
      expect(await ask(other.method, other.params)).toBe('answered');
    }
  });

  it.each([false, { [name]: false }] as const)('have no limit with rates: %j', async (none) => {
    const { ask, calls } = await asked(revision, { rates: none });
    for (let time = 0; time < 600; time++) expect(await ask(method, params)).toBe('answered');
    expect(calls.handled).toBe(600);
  });

  it('are limited without any option', async () => {
    showsBy(`${revision.id} ${name}`, {
      '2024-11-05 samples': '2024-11-05/client/sampling/rate-limited',
      '2026-07-28 samples': '2026-07-28/client/sampling/rate-limit',
    });
    const { ask, calls } = await asked(revision, {});
    const burst = name === 'roots' ? 500 : 200;
    for (let time = 0; time < burst; time++) await ask(method, params);
    expect(await ask(method, params)).not.toBe('answered');
    expect(calls.handled).toBe(burst);
  });
});

describe('onError', () => {
  it('reports each burst of rejections once', async () => {
    const [revision] = revisions.filter((one) => one.lifecycle === 'handshake') as [Revision];
    const { ask, onError, clock } = await asked(revision, { rates: { samples: { perSecond: 2, burst: 3 } } });
    const flood = async () => {
      for (let time = 0; time < 10; time++) await ask('sampling/createMessage', sampling);
    };
    await flood();
    await clock.advance(600);
    await flood();
    expect(onError.mock.calls).toEqual([
      [expect.objectContaining({ code: -31004 }), 'sampling/createMessage'],
    ]);
    await clock.advance(1_501);
    await flood();
    expect(onError).toHaveBeenCalledTimes(2);
  });
});

describe('a round of input requests', () => {
  it('calls no handler when it has one request too many', async () => {
    const { askAll, calls } = await asked(revision20260728, {
      rates: { inputRequests: { perSecond: 1, burst: 2 } },
    });
    const elicitation = { method: 'elicitation/create', params: form };
    await expect(askAll({ a: elicitation, b: elicitation, c: elicitation })).rejects.toMatchObject({
      reason: 'limit',
    });
    expect(calls.handled).toBe(0);
  });

  it('as large as any may be is answered without any option', async () => {
    const { askAll, calls } = await asked(revision20260728, {});
    const elicitation = { method: 'elicitation/create', params: form };
    await askAll(Object.fromEntries(Array.from({ length: 64 }, (_, n) => [`k${n}`, elicitation])));
    expect(calls.handled).toBe(64);
  });
});

it('a server gains nothing by a new connection', async () => {
  const { ask, server, client, clock } = await asked(revision20250326, {
    rates: { samples: { perSecond: 0.001, burst: 1 } },
  });
  expect(await ask('sampling/createMessage', sampling)).toBe('answered');
  const again = new Promise<void>((resolve) =>
    client.onStateChange(({ state }) => {
      if (state === 'open') resolve();
    }),
  );
  await server.peer.die();
  await clock.advance(30_000);
  await again;
  expect(await ask('sampling/createMessage', sampling)).toMatchObject({ code: -31004 });
});

it('what is refused for what it says is not counted', async () => {
  const { ask } = await asked(revision20250326, { rates: { samples: { perSecond: 1, burst: 1 } } });
  for (let time = 0; time < 3; time++) {
    expect(await ask('sampling/createMessage', { ...sampling, tools: [] })).not.toMatchObject({
      code: -31004,
    });
    expect(await ask('sampling/createMessage', {})).toMatchObject({ code: -32602 });
  }
});

it.each([
  [{ samples: { perSecond: 0 } }, RangeError, 'rates.samples: perSecond must be a positive number.'],
  [{ roots: { perSecond: 1, burst: -1 } }, RangeError, 'rates.roots: burst must be a positive number.'],
  [{ roots: { perSecond: 1, brust: 5 } }, TypeError, 'rates.roots: there is no option "brust".'],
  [{ samples: {} }, TypeError, 'rates.samples: perSecond must be a positive number.'],
  [{ pings: { perSecond: 1 } }, TypeError, 'Unknown rate "pings". Known: samples, inputRequests, roots.'],
])('rates that cannot be are refused: %j', async (rates, kind, message) => {
  const server = new ScriptedServer(serverScript(revision20250326));
  const connecting = linked(server, { rates: rates as InputRequestRates });
  await expect(connecting).rejects.toThrow(kind);
  await expect(connecting).rejects.toThrow(message);
});

it('names a wait of at least one second when the next request is possible by then', () => {
  let time = 0;
  const clock = { ...systemClock, now: () => (time += 137) };
  const limiter = new InputRequestLimiter({ samples: { perSecond: 1 } }, clock, () => {});
  const refusals = Array.from({ length: 20 }, () => limiter.refusal('sampling/createMessage'));
  expect(refusals.some((refusal) => refusal !== undefined)).toBe(true);
  for (const refusal of refusals)
    if (refusal !== undefined) expect(refusal.message).toMatch(/again in 1 s\.$/);
});
