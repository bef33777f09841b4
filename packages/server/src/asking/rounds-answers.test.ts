import type { InputRequest, Principal, UnknownObject } from '@tenon/mcp-protocol';
import { revision20260728 } from '@tenon/mcp-protocol/internal';
import { defaultLimits, IncomingRequest, MissingCapabilityError, systemClock } from '@tenon/mcp-session';
import { describe, expect, test } from 'vitest';
import type { Asker, AskingHost } from './asker.js';
import { runRounds } from './rounds.js';
import { defaultRoundsLimits, type RoundsLimits } from './rounds-limits.js';
import { createSealer, type SealerOptions } from './sealing.js';

interface Outcome extends UnknownObject {
  readonly inputRequests?: { readonly [key: string]: InputRequest };
  readonly requestState?: string;
}

interface Caller {
  readonly method?: string;
  readonly params?: UnknownObject;
  readonly principal?: Principal;
  readonly capabilities?: UnknownObject;
}

const everything = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };
const yes = { action: 'accept', content: { value: 'yes' } };
const model = { role: 'assistant', content: { type: 'text', text: 'hi' }, model: 'm' };
const roots = { roots: [{ uri: 'file:///x' }] };

function form(message = '?'): InputRequest {
  const requestedSchema = { type: 'object', properties: { value: { type: 'string' } } } as const;
  return { method: 'elicitation/create', params: { message, requestedSchema } };
}

const sampling = {
  method: 'sampling/createMessage',
  params: { messages: [], maxTokens: 1 },
} as const satisfies InputRequest;

/** A server with one handler; each call is an exchange of its own. */
function serving(
  handler: (asker: Asker, host: AskingHost) => unknown,
  more: SealerOptions & { readonly rounds?: Partial<RoundsLimits> } = {},
) {
  const reported: unknown[] = [];
  const options = {
    sealer: createSealer(more),
    limits: { ...defaultRoundsLimits, ...more.rounds },
    onError: (error: unknown) => void reported.push(error),
  };
  const call = async (given: UnknownObject = {}, caller: Caller = {}): Promise<Outcome> => {
    const params = { name: 'tool', arguments: { city: 'Oslo', days: 1 }, ...caller.params, ...given };
    const message = { id: 1, method: caller.method ?? 'tools/call', params, revision: revision20260728 };
    const from = { clientCapabilities: caller.capabilities ?? everything };
    const facts = caller.principal === undefined ? {} : { principal: caller.principal };
    const host = {
      side: 'server',
      clock: systemClock,
      limits: defaultLimits,
      conversation: undefined,
    } as const;
    const request = new IncomingRequest({ ...message, from }, { facts, send: () => undefined }, host);
    return (await runRounds(options, request, (asking) => handler(asking.asker(), asking))) as Outcome;
  };
  return { call, reported };
}

const keysOf = (outcome: Outcome) => Object.keys(outcome.inputRequests ?? {});
const refused = (message: string) => expect.objectContaining({ code: -32602, message: `params.${message}` });

describe('answers', () => {
  const both = async (asker: Asker) => {
    const answers = await Promise.all([asker.ask('a', form()), asker.ask('b', form())]);
    return answers.map((answer) => ('action' in answer ? answer.action : undefined));
  };

  test('that are missing are asked for again, and those given stay', async () => {
    const { call, reported } = serving(both);
    const first = await call();
    const second = await call({
      inputResponses: { a: { action: 'decline' } },
      requestState: first.requestState,
    });
    expect(keysOf(second)).toEqual(['b']);
    const third = await call({ requestState: second.requestState });
    expect(keysOf(third)).toEqual(['b']);
    const last = await call({
      inputResponses: { b: { action: 'cancel' } },
      requestState: third.requestState,
    });
    expect(last).toEqual(['decline', 'cancel']);
    expect(reported).toEqual([]);
  });

  test('to what was not asked are ignored, whatever they are', async () => {
    const { call } = serving(both);
    const { requestState } = await call();
    const inputResponses = { a: yes, b: yes, c: 12345, constructor: null };
    expect(await call({ inputResponses, requestState })).toEqual(['accept', 'accept']);
    expect(keysOf(await call({ inputResponses: { c: yes }, requestState }))).toEqual(['a', 'b']);
  });

  test('to another round are ignored: what was answered stays answered', async () => {
    const { call } = serving(async (asker) => {
      const a = await asker.ask('a', form());
      await asker.ask('b', form());
      return a;
    });
    const first = await call();
    const second = await call({
      inputResponses: { a: { action: 'decline' }, b: yes },
      requestState: first.requestState,
    });
    expect(keysOf(second)).toEqual(['b']);
    const last = await call({ inputResponses: { a: yes, b: yes }, requestState: second.requestState });
    expect(last).toEqual({ action: 'decline' });
  });

  test('without state answer what is asked under their keys', async () => {
    const { call } = serving(both);
    const more = { a: yes, b: yes, extra: yes };
    expect(await call({ inputResponses: more })).not.toHaveProperty('inputRequests');
    expect(keysOf(await call({ inputResponses: { a: yes } }))).toEqual(['b']);
  });

  test('without state are kept for later rounds', async () => {
    const { call } = serving(both);
    const { requestState } = await call({ inputResponses: { a: yes } });
    expect(await call({ inputResponses: { b: yes }, requestState })).not.toHaveProperty('inputRequests');
  });

  test('without state are refused when they are of the wrong kind', async () => {
    const { call } = serving(both);
    await expect(call({ inputResponses: { a: 12345, b: yes } })).rejects.toEqual(
      refused('inputResponses.a: expected an object'),
    );
  });

  test.each([
    ['a number', 12345, ': expected an object'],
    ['null', null, ': expected an object'],
    ['an unknown action', { action: 'maybe' }, '.action: expected one of "accept", "decline", "cancel"'],
    ['another kind', model, '.action: is required'],
  ])('of the wrong kind are refused with their path: %s', async (_, answer, flaw) => {
    const { call } = serving(both);
    const { requestState } = await call();
    await expect(call({ inputResponses: { a: answer, b: yes }, requestState })).rejects.toEqual(
      refused(`inputResponses.a${flaw}`),
    );
  });

  test('of every kind reach the handler as they are', async () => {
    const { call } = serving((asker) =>
      Promise.all([
        asker.ask('f', form()),
        asker.ask('s', sampling),
        asker.ask('r', { method: 'roots/list' }),
      ]),
    );
    const { requestState } = await call();
    const given = { f: yes, s: { ...model, resultType: 'complete' }, r: roots };
    expect(await call({ inputResponses: given, requestState })).toEqual([yes, model, roots]);
  });

  test('to another request under the same key fail the call at once, by tool and key', async () => {
    let run = 0;
    const { call } = serving((asker) => asker.ask('q', form(`Question ${++run}`)));
    const first = await call();
    const second = call({ inputResponses: { q: yes }, requestState: first.requestState });
    await expect(second).rejects.toBeInstanceOf(TypeError);
    await expect(second).rejects.toThrow(
      /tools\/call "tool" made another.*"q".*stable.*varies between rounds/,
    );
  });

  test('to another request under the same key fail the call whatever its handler makes of the error', async () => {
    let run = 0;
    let signal: AbortSignal | undefined;
    const late: unknown[] = [];
    const { call, reported } = serving(async (asker, host) => {
      signal = host.signal;
      const [first, second] = await Promise.allSettled([
        asker.ask('q', form(`Question ${++run}`)),
        asker.ask('other', form()),
      ]);
      late.push(first.status, second.status);
      return asker.ask('late', form()).catch((error: unknown) => {
        late.push(String(error));
        return 'default';
      });
    });
    const { requestState } = await call();
    late.length = 0;
    const second = call({ inputResponses: { q: yes }, requestState });
    await expect(second).rejects.toThrow(/"q".*varies between rounds/);
    expect(late).toEqual(['rejected', 'rejected', expect.stringMatching(/"q".*varies between rounds/)]);
    expect(String(signal?.reason)).toMatch(/varies between rounds/);
    // The first round: its handler went on when it was suspended.
    expect(reported.map(String)).toEqual([
      expect.stringMatching(/went on when suspended to ask "q", "other"/),
    ]);
  });

  test('to a question whose members stand in another order are taken', async () => {
    const turned: InputRequest = {
      params: { requestedSchema: form().params as never, message: 'x' },
      method: 'elicitation/create',
    };
    const straight: InputRequest = {
      method: 'elicitation/create',
      params: { message: 'x', requestedSchema: form().params as never },
    };
    let run = 0;
    const { call, reported } = serving((asker) => asker.ask('q', run++ === 0 ? turned : straight));
    const { requestState } = await call();
    expect(await call({ inputResponses: { q: yes }, requestState })).toEqual(yes);
    expect(reported).toEqual([]);
  });
});

describe('questions', () => {
  test('may not share a key', async () => {
    const { call } = serving((asker) => Promise.all([asker.ask('q', form()), asker.ask('q', form('other'))]));
    await expect(call()).rejects.toThrow(/"q" was asked with before: keys must be unique/);
    await expect(call()).rejects.toBeInstanceOf(TypeError);
  });

  test('under keys that differ in their last character are two; longer keys are refused, not cut', async () => {
    const same = 'k'.repeat(127);
    const { call } = serving((asker) =>
      Promise.all([asker.ask(`${same}a`, form()), asker.ask(`${same}b`, form())]),
    );
    expect(keysOf(await call())).toEqual([`${same}a`, `${same}b`]);
    const longer = serving((asker) =>
      Promise.all([asker.ask(`${same}xa`, form()), asker.ask(`${same}xb`, form())]),
    );
    await expect(longer.call()).rejects.toBeInstanceOf(RangeError);
  });

  test('may not share a key with one that is answered', async () => {
    const { call } = serving(async (asker) => [await asker.ask('q', form()), await asker.ask('q', form())]);
    const { requestState } = await call();
    await expect(call({ inputResponses: { q: yes }, requestState })).rejects.toThrow(/unique/);
  });

  test.each([
    ['', TypeError],
    [7, TypeError],
    ['k'.repeat(129), RangeError],
  ])('need a usable key: %j', async (key, kind) => {
    const asking = serving((asker) => asker.ask(key as string, form()));
    await expect(asking.call()).rejects.toBeInstanceOf(kind);
    await expect(serving((asker) => asker.once(key as string, () => 1)).call()).rejects.toBeInstanceOf(kind);
  });

  test('need a capability the client declared', async () => {
    const { call } = serving((asker) => asker.ask('q', form()));
    const refusal = call({}, { capabilities: { sampling: {} } });
    await expect(refusal).rejects.toBeInstanceOf(MissingCapabilityError);
    await expect(refusal).rejects.toMatchObject({ required: { elicitation: { form: {} } } });
  });

  test('must be JSON', async () => {
    const circular: { self?: unknown } = {};
    circular.self = circular;
    const { call } = serving((asker) =>
      asker.ask('q', { ...sampling, params: { ...sampling.params, metadata: circular } }),
    );
    await expect(call()).rejects.toThrow('"q" must be JSON');
  });

  test('are bounded per round', async () => {
    const many = (count: number) => (asker: Asker) =>
      Promise.all(Array.from({ length: count }, (_, at) => asker.ask(`q${at}`, form())));
    expect(keysOf(await serving(many(32)).call())).toHaveLength(32);
    await expect(serving(many(33)).call()).rejects.toThrow(
      /tools\/call "tool" makes more than 32 input requests at once.*"limits.asks"/,
    );
  });

  test('are bounded in rounds, whether they were answered or not', async () => {
    const { call } = serving((asker) => asker.ask('q', form()), { rounds: { rounds: 3 } });
    let outcome = await call();
    for (let round = 1; round < 3; round++) outcome = await call({ requestState: outcome.requestState });
    await expect(call({ requestState: outcome.requestState })).rejects.toThrow(
      /tools\/call "tool" asks for input more than 3 times in one call.*"limits.rounds"/,
    );
    expect(await call({ inputResponses: { q: yes }, requestState: outcome.requestState })).toEqual(yes);
  });
});

test('an answer nested too deeply to travel is refused', async () => {
  const { call } = serving((asker) => asker.ask('q', sampling));
  const { requestState } = await call();
  const input = JSON.parse(`${'{"a":'.repeat(50_000)}0${'}'.repeat(50_000)}`);
  const content = { type: 'tool_use', id: '1', name: 'n', input };
  await expect(call({ inputResponses: { q: { ...model, content } }, requestState })).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('params.inputResponses.q'),
  });
});

describe('state', () => {
  const asking = (asker: Asker) => asker.ask('q', form());
  const answered = (requestState: unknown) => ({ inputResponses: { q: yes }, requestState });
  const invalid = refused('requestState: is not valid for this request.');
  const alice = { id: 'alice', issuer: 'https://a.example' };

  test('too large for its bound is reported, and is an internal error to the peer', async () => {
    const { call, reported } = serving(async (asker) => {
      await asker.once('big', () => 'x'.repeat(70_000));
      await asking(asker);
    });
    await expect(call()).rejects.toMatchObject({ code: -32603, message: 'Internal error' });
    expect(reported.map(String)).toEqual([
      expect.stringMatching(
        /^RangeError: .*tools\/call "tool": .* takes \d+ characters, and 65536 are.*"limits.stateSize"/,
      ),
    ]);
  });

  test('that is tampered with, cut, extended or made up is refused', async () => {
    const { call } = serving(asking);
    const { requestState = '' } = await call();
    for (const text of [
      `${requestState}-TAMPERED`,
      requestState.slice(1),
      requestState.slice(0, -1),
      '',
      'AQ',
      '%',
      7,
    ]) {
      await expect(call(answered(text)), String(text)).rejects.toEqual(invalid);
    }
  });

  test('of another server is refused', async () => {
    const { requestState } = await serving(asking).call();
    await expect(serving(asking).call(answered(requestState))).rejects.toEqual(invalid);
  });

  test('that has expired is refused, and says so', async () => {
    let now = 0;
    const { call } = serving(asking, { now: () => now });
    const { requestState } = await call();
    now = 599_999;
    expect(await call(answered(requestState))).toEqual(yes);
    now = 600_000;
    await expect(call(answered(requestState))).rejects.toEqual(
      refused('requestState: has expired: make the request anew.'),
    );
  });

  test.each<[string, Caller]>([
    ['another principal', { principal: { ...alice, id: 'mallory' } }],
    ['a principal of another issuer', { principal: { ...alice, issuer: 'https://b.example' } }],
    ['a principal without issuer', { principal: { id: 'alice' } }],
    ['nobody', {}],
    ['another method', { principal: alice, method: 'prompts/get' }],
    ['another tool', { principal: alice, params: { name: 'other' } }],
    ['other arguments', { principal: alice, params: { arguments: { city: 'Rome', days: 1 } } }],
    ['no arguments', { principal: alice, params: { arguments: undefined } }],
  ])('presented by or for %s is refused', async (_, caller) => {
    const { call } = serving(asking);
    const { requestState } = await call({}, { principal: alice });
    await expect(call(answered(requestState), caller)).rejects.toEqual(invalid);
  });

  test('opens for the same call, in whatever order its arguments stand and whatever its _meta', async () => {
    const { call } = serving(asking);
    const { requestState } = await call({ _meta: { progressToken: 1 } }, { principal: alice });
    const params = { _meta: { progressToken: 2 }, arguments: { days: 1, city: 'Oslo' } };
    expect(await call(answered(requestState), { principal: { ...alice, scopes: ['x'] }, params })).toEqual(
      yes,
    );
  });

  test('tells the client nothing', async () => {
    const { call } = serving(async (asker) => {
      await asker.once('secret', () => 'hunter2');
      return asking(asker);
    });
    const { requestState = '' } = await call();
    expect(atob(requestState.replaceAll('-', '+').replaceAll('_', '/'))).not.toContain('hunter2');
  });
});
