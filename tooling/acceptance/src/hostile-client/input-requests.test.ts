import type { ClientOptions } from '@tenon/mcp-client';
import { expect } from 'vitest';
import { final, goodContent, type Heard, type Lies } from './liar.js';
import type { Stage } from './stage.js';
import { handshake, type Row, stateless, table } from './table.js';

const form = {
  mode: 'form',
  message: 'Who?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
};
const sampling = { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 10 };
const page = (url: unknown) => ({ mode: 'url', message: 'Go', url, elicitationId: 'e1' });

/** Counts the input requests that reached the application. */
function answering(): { readonly options: Partial<ClientOptions>; readonly asked: () => number } {
  let count = 0;
  const options: Partial<ClientOptions> = {
    onElicit: () => {
      count++;
      return { action: 'accept', content: { name: 'Ada' } };
    },
    onElicitUrl: () => {
      count++;
      return { action: 'accept' };
    },
    onSample: () => {
      count++;
      return { role: 'assistant', content: { type: 'text', text: 'Hi' }, model: 'm' };
    },
  };
  return { options, asked: () => count };
}

const wants = (more: object): Lies => ({
  'tools/call bad': (heard) => heard.answer({ resultType: 'input_required', ...more }),
});
const inResult: Pick<Row, 'revisions'> = { revisions: [stateless] };
const live: Pick<Row, 'revisions'> = { revisions: [handshake] };
const elicit = (params: object) => ({ method: 'elicitation/create', params });

/** Rounds of input requests; none may reach the user without effect. */
function rounds(name: string, more: object, seen: Pick<Row, 'sees'> & { asks?: number }): Row {
  const { options, asked } = answering();
  const { asks = 0, sees } = seen;
  return {
    name,
    lies: wants(more),
    over: ['http'],
    ...inResult,
    options,
    sees,
    afterwards: () => expect(asked()).toBe(asks),
  };
}

const invalid = (text: RegExp) => ({ sees: { error: 'SessionError', why: 'invalid-answer', text } });
const limit = (text: RegExp) => ({ sees: { error: 'SessionError', why: 'limit', text } });

table('rounds of input requests', [
  {
    ...rounds(
      'without end',
      { inputRequests: { a: elicit(form) }, requestState: 's' },
      { ...limit(/asked for input more than 32 times/), asks: 32 },
    ),
    over: ['stdio', 'http'],
    afterwards: ({ liar }) => expect(liar.count('tools/call bad')).toBe(33),
  },
  {
    name: 'that ask for nothing but another try, without end',
    lies: wants({ requestState: 's' }),
    over: ['http'],
    ...inResult,
    act: async ({ client, clock }) => {
      let isOver = false;
      const call = client.callTool('bad', {}, { maxRounds: 10 }).finally(() => {
        isOver = true;
      });
      call.catch(() => undefined);
      const waits: number[] = [];
      while (waits.length < 10) waits.push(await clock.pass(10_000));
      await call.catch(() => undefined);
      expect({ isOver, waits: waits.slice(0, 3) }).toEqual({ isOver: true, waits: [100, 200, 400] });
      return call;
    },
    ...limit(/asked for input more than 10 times/),
    afterwards: ({ liar }) => expect(liar.count('tools/call bad')).toBe(11),
  },
  rounds('that ask for nothing', {}, invalid(/wants input but names none/)),
  rounds(
    'with an empty list of input requests',
    { inputRequests: {} },
    invalid(/wants input but names none/),
  ),
  rounds(
    'of a thousand input requests at once',
    { inputRequests: Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`k${n}`, elicit(form)])) },
    limit(/sent 1000 input requests at once; the limit is 64/),
  ),
  rounds('with questions in a list', { inputRequests: [elicit(form)] }, invalid(/inputRequests/)),
  rounds('with a question that is none', { inputRequests: { a: null } }, invalid(/inputRequests/)),
  rounds('with a state that is no text', { requestState: { a: 1 } }, invalid(/requestState/)),
  rounds(
    'that ask to call a tool',
    { inputRequests: { a: { method: 'tools/call', params: { name: 'rm' } } } },
    invalid(/tools\/call|method/),
  ),
  rounds(
    'that ask for __proto__',
    { inputRequests: { a: { method: '__proto__', params: {} } } },
    invalid(/__proto__|method/),
  ),
  rounds(
    'that ask for what was never declared',
    { inputRequests: { a: { method: 'roots/list' } } },
    invalid(/roots\/list, which this client did not declare/),
  ),
  rounds(
    'with one valid input request and one that was never declared',
    { inputRequests: { a: elicit(form), b: { method: 'roots/list' } } },
    invalid(/did not declare/),
  ),
  rounds(
    'for tools in sampling that were never declared',
    {
      inputRequests: {
        a: {
          method: 'sampling/createMessage',
          params: { ...sampling, tools: [{ name: 't', inputSchema: { type: 'object' } }] },
        },
      },
    },
    invalid(/did not declare/),
  ),
  {
    name: 'under keys named as members of objects',
    lies: {
      'tools/call bad': (heard: Heard) => {
        const given = heard.params.inputResponses as object | undefined;
        if (given !== undefined)
          return heard.answer(
            final({ content: [{ type: 'text', text: JSON.stringify(Object.keys(given)) }] }),
          );
        const keys = `{"__proto__":${JSON.stringify(elicit(form))},"constructor":${JSON.stringify(elicit(form))}}`;
        return heard.answer({ resultType: 'input_required', inputRequests: JSON.parse(keys) });
      },
    },
    over: ['http'],
    ...inResult,
    options: answering().options,
    sees: {
      result: expect.objectContaining({ content: [{ type: 'text', text: '["__proto__","constructor"]' }] }),
    },
    afterwards: () => expect(({} as Record<string, unknown>).method).toBeUndefined(),
  },
  {
    name: 'on a list of tools, which has none',
    lies: { 'tools/list': (heard) => heard.answer({ resultType: 'input_required', requestState: 's' }) },
    over: ['http'],
    ...inResult,
    act: ({ client }) => client.tools().all(),
    ...invalid(/tools\/list/),
  },
]);

const addresses = [
  'javascript:alert(document.cookie)',
  'JAVASCRIPT:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>1</script>',
  'file:///etc/passwd',
  'vbscript:x',
  'blob:https://example.com/1',
  'intent://x#Intent;end',
  'ftp://example.com/',
  'ws://example.com/',
  'about:blank',
  'view-source:https://example.com',
  'http://example.com/pay',
  'http://localhost.evil.example/',
  'http://127.0.0.1.evil.example/',
  'https://bank.example@evil.example/',
  'https://user:secret@evil.example/',
  'https://',
  '/relative',
  '',
  `https://example.com/?${'x'.repeat(10_000)}`,
];

/** Sends an input request during a call, and returns the response as the call's result. */
function asks(method: string, params: object): Lies {
  const calls: Heard[] = [];
  return {
    'tools/call bad': (heard) => {
      calls.push(heard);
      return heard.say({ id: 'q1', method, params });
    },
    answer: (heard) => {
      heard.way.end();
      const { error, result } = heard.message;
      const text = error === undefined ? JSON.stringify(result) : `${error.code}: ${error.message}`;
      calls.at(-1)?.answer({ content: [{ type: 'text', text }] });
    },
  };
}

function asked(name: string, question: readonly [string, object], text: RegExp): Row {
  const { options, asked: count } = answering();
  return {
    name,
    lies: asks(...question),
    over: ['http'],
    ...live,
    options,
    sees: {
      result: expect.objectContaining({ content: [{ type: 'text', text: expect.stringMatching(text) }] }),
    },
    afterwards: () => expect(count()).toBe(0),
  };
}

table('addresses nobody should be sent to', [
  ...addresses.map((url) =>
    rounds(
      `${JSON.stringify(url.slice(0, 40))} in a result`,
      { inputRequests: { a: elicit(page(url)) } },
      invalid(/url/i),
    ),
  ),
  ...addresses.map((url) =>
    asked(
      `${JSON.stringify(url.slice(0, 40))} in a request`,
      ['elicitation/create', page(url)],
      /^-32602: .*url/i,
    ),
  ),
]);

table('questions in the middle of a call', [
  { ...asked('of an unknown method', ['eval', { code: '1' }], /^-32601: /), over: ['stdio', 'http'] },
  asked('of __proto__', ['__proto__', {}], /^-32601: /),
  asked('to call a tool', ['tools/call', { name: 'rm' }], /^-32601: /),
  { ...asked('for roots, never declared', ['roots/list', {}], /^-32601: /), over: ['stdio', 'http'] },
  asked(
    'for tools in sampling, never declared',
    ['sampling/createMessage', { ...sampling, tools: [{ name: 't', inputSchema: { type: 'object' } }] }],
    /^-32602: /,
  ),
  asked('for sampling without messages', ['sampling/createMessage', { maxTokens: 1 }], /^-32602: .*messages/),
  asked(
    'for sampling by nobody',
    [
      'sampling/createMessage',
      { ...sampling, messages: [{ role: 'system', content: { type: 'text', text: 'x' } }] },
    ],
    /^-32602: .*role/,
  ),
  asked(
    'with a form that is nested',
    [
      'elicitation/create',
      { ...form, requestedSchema: { type: 'object', properties: { a: { type: 'object', properties: {} } } } },
    ],
    /^-32602: /,
  ),
  asked(
    'with a form that is somewhere else',
    ['elicitation/create', { ...form, requestedSchema: { $ref: 'http://127.0.0.1:1/form' } }],
    /^-32602: /,
  ),
  asked('in a mode nobody knows', ['elicitation/create', { ...form, mode: 'voice' }], /^-32602: .*mode/),
  {
    name: 'under an id that is still being answered',
    lies: {
      'tools/call bad': async (heard) => {
        await heard.say({ id: 'same', ...elicit(form) });
        await heard.say({ id: 'same', ...elicit(form) });
      },
      answer: (heard) => heard.way.end(),
    },
    ...live,
    options: { onElicit: () => new Promise<never>(() => {}) },
    act: async ({ client, liar }: Stage) => {
      void client.callTool('bad').catch(() => undefined);
      return (await liar.answers(1))[0];
    },
    sees: {
      result: expect.objectContaining({
        id: 'same',
        error: { code: -32600, message: 'A request with this id is still being handled.' },
      }),
    },
  },
  ...[null, {}, [], true, 1.5, 'x'.repeat(2_000)].map(
    (id): Row => ({
      name: `under the id ${JSON.stringify(id).slice(0, 20)}`,
      lies: {
        'tools/call bad': (heard) => heard.say({ id, ...elicit(form) }),
        answer: (heard) => heard.way.end(),
      },
      over: ['http'],
      ...live,
      options: answering().options,
      waits: 60_000,
      sees: { error: 'SessionError', why: 'timeout', text: /was not answered/ },
      reported: /./,
    }),
  ),
  {
    name: 'where a server must not send any',
    lies: {
      'tools/call bad': async (heard) => {
        await heard.say({ id: 'q1', ...elicit(form) });
        await heard.say({ id: 'q2', method: 'ping' });
        heard.answer(final({ content: goodContent }));
      },
    },
    over: ['stdio', 'http'],
    ...inResult,
    options: answering().options,
    sees: { result: expect.objectContaining({ content: goodContent }) },
    reported: /request: The server sent the request elicitation\/create, which this revision does not allow/,
    afterwards: ({ liar }) => expect(liar.answered).toBe(0),
  },
]);
