import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { latestHandshake, latestStateless, WirePeer } from '../test/wire-peer.js';
import { type InterpretingValidator, interpreter } from './interpreter.js';
import { createServer, type Server } from './server.js';

const info = { name: 'test', version: '1' };
const capabilities = { elicitation: { form: {} } };

class Forbidden {
  constructor() {
    throw new EvalError('Code generation from strings disallowed for this context');
  }
}

// What a runtime without generated code does, as far as a validator sees it.
beforeEach(() => void vi.stubGlobal('Function', Forbidden));
afterEach(() => void vi.unstubAllGlobals());

function withPlainSchemas(options: { validator?: InterpretingValidator }): Server {
  // No other file has this schema: a check that is compiled already needs no generated code.
  const title = 'Only in interpreter.test.ts';
  const city = {
    title,
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  } as const;
  return createServer(info, { onError: () => undefined, ...options })
    .tool('echo', { input: city, output: city }, ({ city: name }) => ({
      city: name === 'bad' ? (1 as never) : name,
    }))
    .tool('ask', {}, async (_, ctx) => {
      const answer = await ctx.elicit('city', { message: 'Which?', schema: city });
      return answer.action === 'accept' ? answer.content.city : answer.action;
    })
    .prompt('greet', { args: city }, ({ city: name }) => `Hello ${name}`) as never;
}

describe('with the interpreter', () => {
  const server = withPlainSchemas({ validator: interpreter() });

  it('input, output and prompt arguments are checked', async () => {
    const peer = await WirePeer.open(server, latestStateless);
    const call = async (name: string, city: unknown) =>
      (await peer.request('tools/call', { name, arguments: { city } })) as never as Record<string, unknown>;
    expect(await call('echo', 'Oslo')).toMatchObject({ result: { structuredContent: { city: 'Oslo' } } });
    expect(JSON.stringify(await call('echo', 5))).toContain('city: must be string');
    expect(await call('echo', 'bad')).toMatchObject({ result: { isError: true } });
    const prompt = await peer.request('prompts/get', { name: 'greet', arguments: { city: 'Oslo' } });
    expect(JSON.stringify(prompt.result)).toContain('Hello Oslo');
    const refused = await peer.request('prompts/get', { name: 'greet', arguments: {} });
    expect(refused.error).toMatchObject({ code: -32602 });
    expect(refused.error?.message).toContain('city: is required');
  });

  it.each([
    ['Oslo', 'Oslo'],
    [5, 'city: must be string'],
  ])('checks a form answer of the user: %s', async (typed, outcome) => {
    const peer = await WirePeer.open(server, latestHandshake, capabilities);
    const answer = peer.request('tools/call', { name: 'ask' });
    const question = await peer.heard('elicitation/create');
    peer.answer(question.id, { action: 'accept', content: { city: typed } });
    expect(JSON.stringify(await answer)).toContain(outcome);
  });

  it('a schema library checks for itself', async () => {
    const own = createServer(info, { validator: interpreter() }).tool(
      'echo',
      { input: z.object({ city: z.string() }) },
      ({ city }) => city,
    );
    const peer = await WirePeer.open(own);
    expect(
      (await peer.request('tools/call', { name: 'echo', arguments: { city: 'Oslo' } })).result,
    ).toMatchObject({
      content: [{ text: 'Oslo' }],
    });
  });
});

it('without it, the error names the fix', async () => {
  await expect(withPlainSchemas({}).compileSchemas()).rejects.toThrow(
    'tool "echo" input: the JSON Schema cannot be compiled (Code generation from strings disallowed for this context); ' +
      'this runtime forbids generated code, so give the server a validator that needs none, as in ' +
      "createServer(info, { validator: interpreter() }) with interpreter from '@tenon/mcp-server/interpreter', " +
      'or use a Standard Schema library such as zod',
  );
});

it('bounds the steps of one check', async () => {
  const check = interpreter().compile({ items: { type: 'number' } }, { dialect: '2020-12', mostIssues: 10 });
  expect(check([1, 'x'])).toEqual([{ path: [1], message: 'must be number' }]);
  expect(() => check(Array(400_000).fill(1))).toThrow('took too many steps');
});

it('rejects an invalid validator', () => {
  expect(() => createServer(info, { validator: {} as never })).toThrow(
    'validator must have a function "compile", as `interpreter()` of @tenon/mcp-server/interpreter has.',
  );
});
