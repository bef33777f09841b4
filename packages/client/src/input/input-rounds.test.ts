import { otherBounds } from '@tenon/foundation';
import type { UnknownObject } from '@tenon/mcp-protocol';
import { revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it, vi } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { FakeClock, settled } from '../../../testing/src/fake-clock.js';
import { linked } from '../../test/linked.js';
import { type Reply, ScriptedServer } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';

const form = {
  type: 'object',
  properties: { unit: { type: 'string', enum: ['C', 'F'] } },
  required: ['unit'],
};
const elicit = (message: string) => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: form },
});
const ask = (inputRequests?: UnknownObject, requestState?: string): UnknownObject => ({
  resultType: 'input_required',
  ...(inputRequests && { inputRequests }),
  ...(requestState !== undefined && { requestState }),
});
const done = { resultType: 'complete', content: [] };
const accept = () => ({ action: 'accept', content: { unit: 'C' } }) as const;

function requestingInput(...answers: (UnknownObject | Reply)[]): ScriptedServer {
  let call = 0;
  const reply: Reply = (params, peer, id) => {
    const answer = answers[Math.min(call++, answers.length - 1)] as UnknownObject | Reply;
    return typeof answer === 'function' ? answer(params, peer, id) : answer;
  };
  return new ScriptedServer(
    serverScript(revision20260728, { 'tools/call': reply, 'resources/read': reply, 'prompts/get': reply }),
  );
}

it('answers, and calls again with the same params, a new id and the exact state', async () => {
  shows(
    '2026-07-28/basic/patterns/mrtr/state-opaque',
    '2026-07-28/basic/patterns/mrtr/construct-inputs',
    '2026-07-28/basic/patterns/mrtr/echo-state',
    '2026-07-28/basic/patterns/mrtr/state-not-inspected',
    '2026-07-28/basic/patterns/mrtr/new-id',
    '2026-07-28/client/elicitation/mode-omitted',
    '2026-07-28/client/elicitation/mode-omitted-form',
    '2026-07-28/server/tools/retry-id',
    'draft-tools/tools/retry-new-id',
  );
  const state = '{"odd": "  \\u0000é😀"}\n';
  const server = requestingInput(ask({ unit: elicit('Which?') }, state), done);
  const client = await linked(server, { onElicit: accept });
  await client.callTool('forecast', { city: 'Oslo' });
  const [first, second] = server.peer.heard.filter((one) => one.method === 'tools/call');
  expect(second?.id).not.toBe(first?.id);
  expect(second?.params).toMatchObject({
    name: 'forecast',
    arguments: { city: 'Oslo' },
    inputResponses: { unit: { action: 'accept', content: { unit: 'C' } } },
    requestState: state,
  });
  expect(first?.params).not.toHaveProperty('requestState');
});

it('sends no state back when none was given, not even one of an earlier round', async () => {
  shows('2026-07-28/basic/patterns/mrtr/no-state-invented', 'draft-tools/tools/retry-state');
  const server = requestingInput(ask({ a: elicit('A') }, 'one'), ask({ b: elicit('B') }), done);
  const client = await linked(server, { onElicit: accept });
  await client.callTool('forecast', { city: 'Oslo' });
  const last = server.peer.paramsOf('tools/call')[2];
  expect(last).not.toHaveProperty('requestState');
  expect(Object.keys(last?.inputResponses as object)).toEqual(['b']);
});

it('keeps keys that are names of built-in members', async () => {
  const requests = JSON.parse(`{"__proto__": ${JSON.stringify(elicit('A'))}}`) as UnknownObject;
  const server = requestingInput(ask(requests), done);
  const client = await linked(server, { onElicit: accept });
  await client.callTool('forecast');
  expect(JSON.stringify(server.peer.paramsOf('tools/call')[1]?.inputResponses)).toBe(
    '{"__proto__":{"action":"accept","content":{"unit":"C"}}}',
  );
});

it('handles all input requests of a round at once', async () => {
  shows('2026-07-28/basic/patterns/mrtr/construct-inputs');
  const open: string[] = [];
  let release = () => {};
  const both = new Promise<void>((resolve) => {
    release = resolve;
  });
  const client = await linked(requestingInput(ask({ a: elicit('A'), b: elicit('B') }), done), {
    onElicit: async ({ message }) => {
      open.push(message);
      if (open.length === 2) release();
      await both;
      return accept();
    },
  });
  await client.callTool('forecast');
  expect(open).toEqual(['A', 'B']);
});

describe.each([
  [
    'resources/read',
    (client: Awaited<ReturnType<typeof linked>>) => client.readResource('file:///a'),
    { contents: [] },
  ],
  [
    'prompts/get',
    (client: Awaited<ReturnType<typeof linked>>) => client.getPrompt('hello'),
    { messages: [] },
  ],
])('%s', (method, call, result) => {
  it('may ask too', async () => {
    showsBy(method, {
      'prompts/get': '2026-07-28/server/prompts/input-required',
      'resources/read': '2026-07-28/server/resources/input-required',
    });
    const final = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...result };
    const server = requestingInput(ask({ unit: elicit('Which?') }), final);
    const client = await linked(server, { onElicit: accept });
    expect(await call(client)).toMatchObject(result);
    expect(server.peer.paramsOf(method)).toHaveLength(2);
  });
});

it('gives up after too many rounds', async () => {
  shows('2026-07-28/client/sampling/iteration-limits');
  const server = requestingInput(ask({ unit: elicit('Which?') }));
  const client = await linked(server, { onElicit: accept });
  await expect(client.callTool('forecast')).rejects.toMatchObject({ reason: 'limit' });
  expect(server.peer.paramsOf('tools/call')).toHaveLength(33);
  await expect(client.callTool('forecast', {}, { maxRounds: 2 })).rejects.toMatchObject({
    message:
      'tools/call forecast asked for input more than 2 times; allow it more with the option "maxRounds", or "limits.rounds" of the client.',
  });
});

it('waits a little before it calls again when nothing is asked', async () => {
  shows('2026-07-28/basic/patterns/mrtr/retry-immediately');
  const clock = new FakeClock();
  const server = requestingInput(ask(undefined, 'busy'), ask({}, 'busy'), done);
  const client = await linked(server, { clock });
  const result = client.callTool('forecast');
  await clock.advance(99);
  expect(server.peer.paramsOf('tools/call')).toHaveLength(1);
  await clock.advance(1);
  expect(server.peer.paramsOf('tools/call')[1]).toMatchObject({ requestState: 'busy' });
  await clock.advance(200);
  expect(await result).toEqual({ content: [], isError: false });
});

it('waits between such rounds as the limits say', async () => {
  const clock = new FakeClock();
  const busy = ask(undefined, 'busy');
  const server = requestingInput(busy, busy, busy, busy, done);
  const limits = otherBounds({ roundDelay: 10, maxRoundDelay: 20 });
  const client = await linked(server, { clock, limits });
  const result = client.callTool('forecast');
  for (const wait of [10, 20, 20, 20]) await clock.advance(wait);
  expect(await result).toEqual({ content: [], isError: false });
  expect(clock.now()).toBe(70);
});

it.each([
  [
    'asks nothing and keeps nothing',
    ask(),
    'The answer to tools/call forecast wants input but names none.',
    '2026-07-28/basic/patterns/mrtr/something-asked',
  ],
  [
    'asks what was not declared',
    ask({ r: { method: 'roots/list' } }),
    'The server asked for roots/list, which this client did not declare.',
  ],
  [
    'asks in a mode that was not declared',
    ask({
      u: { method: 'elicitation/create', params: { mode: 'url', message: 'Go', url: 'https://a.example' } },
    }),
    'The server asked for elicitation in url mode, which this client did not declare.',
  ],
  [
    'asks what does not exist',
    ask({ r: { method: 'tools/list' } }),
    /The answer to tools\/call forecast is not valid/,
    '2026-07-28/basic/patterns/mrtr/input-requests-kinds',
  ],
  [
    'answers with an unknown type',
    { resultType: 'later', content: [] },
    /The answer to tools\/call forecast is not valid: result\.resultType/,
    '2026-07-28/basic/index/result-type-unknown',
  ],
])('an answer that %s is refused, and nothing is sent', async (...[, answer, message, ...ids]) => {
  shows(...ids);
  const server = requestingInput(answer);
  const client = await linked(server, { onElicit: accept });
  const call = client.callTool('forecast');
  await expect(call).rejects.toMatchObject({ reason: 'invalid-answer' });
  await expect(call).rejects.toThrow(message);
  expect(server.peer.paramsOf('tools/call')).toHaveLength(1);
});

it('answers no input request of a round when one was not declared', async () => {
  const server = requestingInput(ask({ a: elicit('A'), r: { method: 'roots/list' } }), done);
  let asked = 0;
  const onElicit = () => {
    asked++;
    return accept();
  };
  const client = await linked(server, { onElicit });
  await expect(client.callTool('forecast')).rejects.toMatchObject({ reason: 'invalid-answer' });
  expect(server.peer.paramsOf('tools/call')).toHaveLength(1);
  expect(asked).toBe(0);
});

it('rejects the call and aborts the other input requests when a handler throws', async () => {
  let aborted = false;
  const client = await linked(requestingInput(ask({ a: elicit('A'), b: elicit('B') }), done), {
    onElicit: ({ message }, { signal }) => {
      if (message === 'A') throw new Error('no screen');
      signal.addEventListener('abort', () => {
        aborted = true;
      });
      return new Promise(() => {});
    },
  });
  await expect(client.callTool('forecast')).rejects.toThrow('no screen');
  expect(aborted).toBe(true);
});

it('ends a call by its signal while an input request is open', async () => {
  shows('2026-07-28/client/elicitation/manual-controls', '2026-07-28/client/elicitation/decline-any-time');
  const controller = new AbortController();
  const server = requestingInput(ask({ a: elicit('A') }), done);
  const client = await linked(server, {
    onElicit: (_, { signal }) => {
      queueMicrotask(() => controller.abort('enough'));
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ action: 'cancel' })));
    },
  });
  await expect(client.callTool('forecast', {}, { signal: controller.signal })).rejects.toMatchObject({
    reason: 'cancelled',
    cause: 'enough',
  });
  expect(server.peer.paramsOf('tools/call')).toHaveLength(1);
});

it('ends a call when the client closes while an input request is open', async () => {
  let reason: unknown;
  let shown = () => {};
  const asked = new Promise<void>((resolve) => (shown = resolve));
  const server = requestingInput(ask({ a: elicit('A') }), done);
  const client = await linked(server, {
    onElicit: (_, { signal }) => {
      signal.addEventListener('abort', () => (reason = signal.reason));
      shown();
      return new Promise(() => {});
    },
  });
  const call = client.callTool('forecast');
  await asked;
  const outcome = expect(call).rejects.toMatchObject({ reason: 'closed', message: 'The client is closed.' });
  await client.close();
  await outcome;
  expect(reason).toMatchObject({ reason: 'closed' });
});

it('closing the client ends a call that waits to be sent again', async () => {
  const clock = new FakeClock();
  const client = await linked(requestingInput(ask(undefined, 'busy')), { clock });
  const call = expect(client.callTool('forecast')).rejects.toMatchObject({ reason: 'closed' });
  await settled();
  await client.close();
  await call;
  expect(clock.waiting).toEqual([]);
});

it('many calls may ask at the same time, and leave nothing behind', async () => {
  const warnings: unknown[] = [];
  const warn = (warning: Error) => warnings.push(warning);
  process.on('warning', warn);
  const add = vi.spyOn(AbortSignal.prototype, 'addEventListener');
  const remove = vi.spyOn(AbortSignal.prototype, 'removeEventListener');
  const script = {
    'tools/call': ({ inputResponses }: UnknownObject) =>
      inputResponses === undefined ? ask({ a: elicit('A') }) : done,
  };
  const client = await linked(new ScriptedServer(serverScript(revision20260728, script)), {
    onElicit: async () => accept(),
  });
  await Promise.all(Array.from({ length: 20 }, () => client.callTool('forecast')));
  await new Promise(setImmediate);
  process.off('warning', warn);
  expect(warnings).toEqual([]);
  expect(add.mock.calls.length).toBeGreaterThanOrEqual(20);
  expect(remove.mock.calls.length).toBe(add.mock.calls.length);
  vi.restoreAllMocks();
  await client.close();
});

it('a state in the params of a caller is not sent again when the server gave none', async () => {
  shows('2026-07-28/basic/patterns/mrtr/no-state-invented');
  const server = requestingInput(ask({ a: elicit('A') }), done);
  const client = await linked(server, { onElicit: accept });
  await client.request('tools/call', { name: 'forecast', requestState: 'kept' });
  const [first, second] = server.peer.paramsOf('tools/call');
  expect(first).toHaveProperty('requestState', 'kept');
  expect(second).not.toHaveProperty('requestState');
});

it.each([
  [
    'a page that is not a web page',
    {
      method: 'elicitation/create',
      params: { mode: 'url', message: 'Go', url: 'file:///etc/passwd' },
    },
    'The server asked for what cannot be answered: params.url: expected an https URL, or an http one to this machine',
    '2026-07-28/client/elicitation/url-valid',
  ],
  [
    'tool results without uses',
    {
      method: 'sampling/createMessage',
      params: {
        messages: [{ role: 'user', content: [{ type: 'tool_result', toolUseId: 'a', content: [] }] }],
        maxTokens: 1,
      },
    },
    'The server asked for what cannot be answered: params.messages[0]: no tool use waits for the result "a"',
  ],
])(
  'rejects an invalid input request without calling a handler: %s',
  async (...[, question, message, ...ids]) => {
    shows(...ids);
    const server = requestingInput(ask({ a: elicit('A'), q: question }), done);
    let bothered = 0;
    const bother = () => {
      bothered++;
      return accept();
    };
    const client = await linked(server, {
      onElicit: bother,
      onElicitUrl: bother,
      onSample: bother as never,
    });
    await expect(client.callTool('forecast')).rejects.toMatchObject({ reason: 'invalid-answer', message });
    expect(bothered).toBe(0);
  },
);

it('middleware sees the call once, and what is asked inside its results', async () => {
  const seen: string[] = [];
  const client = await linked(requestingInput(ask({ a: elicit('A') }), done), {
    onElicit: accept,
    middleware: [
      (call, next) => {
        seen.push(`${call.direction} ${call.method}`);
        return next();
      },
    ],
  });
  await client.callTool('forecast');
  expect(seen).toEqual(['outbound server/discover', 'outbound tools/call', 'inbound elicitation/create']);
});

it('rejects a round with too many input requests without calling a handler', async () => {
  shows('2026-07-28/client/sampling/rate-limit');
  const question = {
    method: 'elicitation/create',
    params: { message: '?', requestedSchema: { type: 'object', properties: {} } },
  };
  const many = Object.fromEntries(Array.from({ length: 3 }, (_, index) => [`q${index}`, question]));
  let bothered = 0;
  const onElicit = () => {
    bothered++;
    return { action: 'decline' } as const;
  };
  const client = await linked(requestingInput(ask(many)), {
    onElicit,
    limits: otherBounds({ inputRequests: 2 }),
  });
  await expect(client.callTool('forecast')).rejects.toMatchObject({
    reason: 'limit',
    message: 'tools/call forecast sent 3 input requests at once; the limit is 2.',
  });
  expect(bothered).toBe(0);
});
