import type { InputRequest } from '@tenon/mcp-protocol';
import { MissingCapabilityError } from '@tenon/mcp-session';
import { describe, expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { form, keysOf, refused, sampling, serving, yes } from '../../test/serving-rounds.js';
import type { Run } from './run.js';

const model = { role: 'assistant', content: { type: 'text', text: 'hi' }, model: 'm' };
const roots = { roots: [{ uri: 'file:///x' }] };

describe('answers', () => {
  const both = async (inputRequester: Run) => {
    const answers = await Promise.all([
      inputRequester.requestInput('a', form()),
      inputRequester.requestInput('b', form()),
    ]);
    return answers.map((answer) => ('action' in answer ? answer.action : undefined));
  };

  test('that are missing are requested again, and given ones stay', async () => {
    shows('2026-07-28/basic/patterns/mrtr/ask-again', '2026-07-28/basic/patterns/mrtr/missing-asked-again');
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

  test('without an input request are ignored', async () => {
    shows('2026-07-28/basic/patterns/mrtr/unexpected-ignored');
    const { call } = serving(both);
    const { requestState } = await call();
    const inputResponses = { a: yes, b: yes, c: 12345, constructor: null };
    expect(await call({ inputResponses, requestState })).toEqual(['accept', 'accept']);
    expect(keysOf(await call({ inputResponses: { c: yes }, requestState }))).toEqual(['a', 'b']);
  });

  test('to another round are ignored: earlier answers stay', async () => {
    const { call } = serving(async (inputRequester) => {
      const a = await inputRequester.requestInput('a', form());
      await inputRequester.requestInput('b', form());
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

  test('without state answer the input requests with their keys', async () => {
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
    [
      'null',
      null,
      ': expected an object',
      '2026-07-28/basic/patterns/mrtr/protocol-errors',
      '2026-07-28/client/elicitation/handle-refusals',
    ],
    ['an unknown action', { action: 'maybe' }, '.action: expected one of "accept", "decline", "cancel"'],
    ['another kind', model, '.action: is required', '2026-07-28/client/sampling/validate-content'],
  ])('of the wrong kind are refused with their path: %s', async (...[, answer, problem, ...ids]) => {
    shows('2026-07-28/basic/patterns/mrtr/validate-responses', ...ids);
    const { call } = serving(both);
    const { requestState } = await call();
    await expect(call({ inputResponses: { a: answer, b: yes }, requestState })).rejects.toEqual(
      refused(`inputResponses.a${problem}`),
    );
  });

  test('of every kind reach the handler as they are', async () => {
    const { call } = serving((inputRequester) =>
      Promise.all([
        inputRequester.requestInput('f', form()),
        inputRequester.requestInput('s', sampling),
        inputRequester.requestInput('r', { method: 'roots/list' }),
      ]),
    );
    const { requestState } = await call();
    const given = { f: yes, s: { ...model, resultType: 'complete' }, r: roots };
    expect(await call({ inputResponses: given, requestState })).toEqual([yes, model, roots]);
  });

  test('to another request under the same key fail the call at once, by tool and key', async () => {
    let run = 0;
    const { call } = serving((inputRequester) => inputRequester.requestInput('q', form(`Question ${++run}`)));
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
    const { call, reported } = serving(async (inputRequester, host) => {
      signal = host.signal;
      const [first, second] = await Promise.allSettled([
        inputRequester.requestInput('q', form(`Question ${++run}`)),
        inputRequester.requestInput('other', form()),
      ]);
      late.push(first.status, second.status);
      return inputRequester.requestInput('late', form()).catch((error: unknown) => {
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

  test('accepts an answer to an input request with members in another order', async () => {
    const turned: InputRequest = {
      params: { requestedSchema: form().params as never, message: 'x' },
      method: 'elicitation/create',
    };
    const straight: InputRequest = {
      method: 'elicitation/create',
      params: { message: 'x', requestedSchema: form().params as never },
    };
    let run = 0;
    const { call, reported } = serving((inputRequester) =>
      inputRequester.requestInput('q', run++ === 0 ? turned : straight),
    );
    const { requestState } = await call();
    expect(await call({ inputResponses: { q: yes }, requestState })).toEqual(yes);
    expect(reported).toEqual([]);
  });
});

describe('input requests', () => {
  test('may not share a key', async () => {
    shows('2026-07-28/basic/patterns/mrtr/input-requests-unique');
    const { call } = serving((inputRequester) =>
      Promise.all([
        inputRequester.requestInput('q', form()),
        inputRequester.requestInput('q', form('other')),
      ]),
    );
    await expect(call()).rejects.toThrow(/"q" was asked with before: keys must be unique/);
    await expect(call()).rejects.toBeInstanceOf(TypeError);
  });

  test('under keys that differ in their last character are two; longer keys are refused, not cut', async () => {
    const same = 'k'.repeat(127);
    const { call } = serving((inputRequester) =>
      Promise.all([
        inputRequester.requestInput(`${same}a`, form()),
        inputRequester.requestInput(`${same}b`, form()),
      ]),
    );
    expect(keysOf(await call())).toEqual([`${same}a`, `${same}b`]);
    const longer = serving((inputRequester) =>
      Promise.all([
        inputRequester.requestInput(`${same}xa`, form()),
        inputRequester.requestInput(`${same}xb`, form()),
      ]),
    );
    await expect(longer.call()).rejects.toBeInstanceOf(RangeError);
  });

  test('may not share a key with one that is answered', async () => {
    shows('2026-07-28/basic/patterns/mrtr/input-requests-unique');
    const { call } = serving(async (inputRequester) => [
      await inputRequester.requestInput('q', form()),
      await inputRequester.requestInput('q', form()),
    ]);
    const { requestState } = await call();
    await expect(call({ inputResponses: { q: yes }, requestState })).rejects.toThrow(/unique/);
  });

  test.each([
    ['', TypeError],
    [7, TypeError],
    ['k'.repeat(129), RangeError],
  ])('need a usable key: %j', async (key, kind) => {
    const requestingInput = serving((inputRequester) => inputRequester.requestInput(key as string, form()));
    await expect(requestingInput.call()).rejects.toBeInstanceOf(kind);
    await expect(
      serving((inputRequester) => inputRequester.once(key as string, () => 1)).call(),
    ).rejects.toBeInstanceOf(kind);
  });

  test('need a capability the client declared', async () => {
    shows('2026-07-28/basic/patterns/mrtr/declared-only');
    const { call } = serving((inputRequester) => inputRequester.requestInput('q', form()));
    const refusal = call({}, { capabilities: { sampling: {} } });
    await expect(refusal).rejects.toBeInstanceOf(MissingCapabilityError);
    await expect(refusal).rejects.toMatchObject({ required: { elicitation: { form: {} } } });
  });

  test('must be JSON', async () => {
    const circular: { self?: unknown } = {};
    circular.self = circular;
    const { call } = serving((inputRequester) =>
      inputRequester.requestInput('q', { ...sampling, params: { ...sampling.params, metadata: circular } }),
    );
    await expect(call()).rejects.toThrow('"q" must be JSON');
  });

  test('are bounded per round', async () => {
    const many = (count: number) => (inputRequester: Run) =>
      Promise.all(Array.from({ length: count }, (_, at) => inputRequester.requestInput(`q${at}`, form())));
    expect(keysOf(await serving(many(32)).call())).toHaveLength(32);
    await expect(serving(many(33)).call()).rejects.toThrow(
      /tools\/call "tool" makes more than 32 input requests at once/,
    );
  });

  test('are bounded in rounds, whether they were answered or not', async () => {
    shows('2026-07-28/client/sampling/iteration-limits');
    const { call } = serving((inputRequester) => inputRequester.requestInput('q', form()), {
      rounds: { rounds: 3 },
    });
    let outcome = await call();
    for (let round = 1; round < 3; round++) outcome = await call({ requestState: outcome.requestState });
    await expect(call({ requestState: outcome.requestState })).rejects.toThrow(
      /tools\/call "tool" asks for input more than 3 times in one call/,
    );
    expect(await call({ inputResponses: { q: yes }, requestState: outcome.requestState })).toEqual(yes);
  });
});

test('an answer nested too deeply to travel is refused', async () => {
  const { call } = serving((inputRequester) => inputRequester.requestInput('q', sampling));
  const { requestState } = await call();
  const input = JSON.parse(`${'{"a":'.repeat(50_000)}0${'}'.repeat(50_000)}`);
  const content = { type: 'tool_use', id: '1', name: 'n', input };
  await expect(call({ inputResponses: { q: { ...model, content } }, requestState })).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('params.inputResponses.q'),
  });
});
