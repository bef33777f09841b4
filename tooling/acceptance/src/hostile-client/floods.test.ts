import type { ClientOptions, Progress } from '@tenon/mcp-client';
import { expect } from 'vitest';
import { final, goodContent, type Heard, type Lies, listed, tool } from './liar.js';
import type { Stage } from './stage.js';
import { isLightOnce } from './strain.js';
import { handshake, type Row, stateless, table } from './table.js';

const many = 100_000;
const some = 20_000;

/** Sends a number of messages during a call, then its response. */
const flood = (messageOf: (index: number, heard: Heard) => object, times = some): Lies => ({
  'tools/call bad': async (heard) => {
    await heard.flood(times, (index) => messageOf(index, heard));
    heard.answer(final({ content: goodContent }));
  },
});
const notice =
  (method: string, paramsOf: (index: number, heard: Heard) => object = () => ({})) =>
  (index: number, heard: Heard) => ({ method, params: paramsOf(index, heard) });

/** A flood during a call that succeeds, within bounds on event loop and heap. */
function notices(name: string, lies: Lies, more: Partial<Row> = {}): Row {
  return {
    name,
    lies,
    over: ['stdio'],
    revisions: [handshake],
    act: (stage) => isLightOnce(() => stage.client.callTool('bad')),
    sees: { result: undefined },
    ...more,
  };
}

let heard = 0;
const counting: Partial<ClientOptions> = { onLog: () => heard++, onElicitComplete: () => heard++ };

table('floods of notifications', [
  notices('of a kind nobody knows', flood(notice('notifications/unknown'), many), {
    over: ['stdio', 'http'],
    revisions: [handshake, stateless],
  }),
  notices('of kinds named as members of objects', flood(notice('__proto__'))),
  notices(
    'of kinds that are all different',
    flood((index) => ({ method: `notifications/${index}` })),
  ),
  notices('that are not valid', flood(notice('notifications/message', (index) => ({ level: index })))),
  notices(
    'without any params',
    flood(() => ({ method: 'notifications/resources/updated' })),
  ),
  notices(
    'of unrequested log messages',
    flood(
      notice('notifications/message', () => ({ level: 'error', data: 'x' })),
      many,
    ),
  ),
  notices(
    'of log messages',
    flood(
      notice('notifications/message', () => ({ level: 'error', data: 'x' })),
      many,
    ),
    {
      over: ['stdio', 'http'],
      options: counting,
    },
  ),
  notices(
    'of progress with unknown tokens',
    flood(notice('notifications/progress', (index) => ({ progressToken: `t${index}`, progress: index }))),
  ),
  notices(
    'of progress with tokens of other calls',
    flood(
      notice('notifications/progress', (progress, { id }) => ({
        progressToken: Number(id) + 1 + (progress % 1_000),
        progress,
      })),
    ),
  ),
  notices(
    'of progress that stands still',
    flood(notice('notifications/progress', (_, { token }) => ({ progressToken: token, progress: 1 }))),
  ),
  notices(
    'of progress that goes on',
    flood(notice('notifications/progress', (progress, { token }) => ({ progressToken: token, progress }))),
    { revisions: [handshake, stateless] },
  ),
  notices(
    'of resources that changed',
    flood(notice('notifications/resources/updated', (index) => ({ uri: `file:///${index}` }))),
  ),
  notices(
    'of cancellations of nothing',
    flood(notice('notifications/cancelled', (requestId) => ({ requestId }))),
  ),
  notices(
    'of pages that are done',
    flood(notice('notifications/elicitation/complete', (index) => ({ elicitationId: `e${index}` }))),
    { options: counting },
  ),
  notices(
    'of acknowledgements of nothing',
    flood(notice('notifications/subscriptions/acknowledged', () => ({ notifications: {} }))),
    { revisions: [stateless] },
  ),
  notices(
    'of unmatched answers',
    flood((index) => ({ id: `x${index}`, result: {} })),
  ),
  notices(
    'of answers under ids to come',
    flood((index, { id }) => ({ id: Number(id) + 1 + index, result: final({ content: [] }) })),
  ),
  notices(
    'of errors without id',
    flood(() => ({ error: { code: 1, message: 'x' } })),
  ),
  notices(
    'of messages that are none',
    flood(() => ({ jsonrpc: '3.0' })),
  ),
  notices(
    'of lists that changed: none is read again',
    {
      ...flood(notice('notifications/tools/list_changed'), many),
      'tools/list': (call) => call.answer(listed({ tools: [tool('good')] })),
    },
    {
      over: ['stdio', 'http'],
      act: async (stage) => {
        await stage.client.tools().all();
        await isLightOnce(() => stage.client.callTool('bad'));
      },
      afterwards: ({ liar }) => expect(liar.count('tools/list')).toBe(1),
    },
  ),
  notices(
    'of lists that changed, while they are watched: only the listener is notified',
    flood(notice('notifications/tools/list_changed'), 10_000),
    {
      act: async (stage) => {
        let changes = 0;
        await stage.client.watch({ tools: true }, () => changes++);
        await isLightOnce(() => stage.client.callTool('bad'));
        expect(changes).toBe(10_000);
      },
      afterwards: ({ liar }) => expect(liar.count('tools/list')).toBe(0),
    },
  ),
]);

interface InputRequestsSeen {
  readonly times: number;
  /** Number of responses while the application does not answer. */
  readonly refused: number;
  /** The distinct error codes of the responses; undefined for a result. */
  readonly codes?: readonly (number | undefined)[];
  readonly options?: Partial<ClientOptions>;
  readonly over?: Row['over'];
}

/**
 * A flood of input requests during a call that never ends; a number of them reach the application, the others are rejected.
 */
function inputRequests(name: string, question: (index: number) => object, seen: InputRequestsSeen): Row {
  const { times, refused, codes = refused < times ? [-31004] : undefined, options, over } = seen;
  return {
    name: `${times} ${name}`,
    lies: {
      'tools/call bad': (call) => call.flood(times, question),
      answer: (call) => call.way.end(),
    },
    revisions: [handshake],
    over: over ?? ['stdio'],
    options: { ...options },
    act: async (stage) => {
      await isLightOnce(
        async () => {
          void stage.client.callTool('bad').catch(() => undefined);
          await stage.liar.answers(refused);
        },
        { held: 16 },
      );
      return codesOf(stage);
    },
    sees: { result: codes ?? expect.anything() },
  };
}

async function codesOf({ liar }: Stage): Promise<unknown[]> {
  const answers = await liar.answers(1);
  return [...new Set(answers.map(({ error }) => error?.code))].sort();
}

const never = () => new Promise<never>(() => {});
const form = { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
const sampling = { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 10 };

table('floods of requests', [
  inputRequests('pings', (id) => ({ id, method: 'ping' }), { times: many, refused: many }),
  inputRequests('pings', (id) => ({ id, method: 'ping' }), { times: 2_000, refused: 2_000, over: ['http'] }),
  inputRequests('pings under one id', () => ({ id: 'same', method: 'ping' }), {
    times: 20_000,
    refused: 20_000,
  }),
  inputRequests('requests of methods nobody knows', (id) => ({ id, method: `m${id}` }), {
    times: 20_000,
    refused: 20_000,
  }),
  inputRequests('questions for roots', (id) => ({ id, method: 'roots/list' }), {
    times: 20_000,
    refused: 20_000,
    codes: [-31004, undefined],
    options: { roots: [] },
  }),
  inputRequests('questions for roots that take long', (id) => ({ id, method: 'roots/list' }), {
    times: 5_000,
    refused: 5_000 - 500,
    options: { roots: never },
  }),
  inputRequests('forms nobody fills in', (id) => ({ id, method: 'elicitation/create', params: form }), {
    times: 5_000,
    refused: 5_000 - 200,
    options: { onElicit: never },
  }),
  inputRequests('forms nobody fills in', (id) => ({ id, method: 'elicitation/create', params: form }), {
    times: 2_000,
    refused: 2_000 - 200,
    options: { onElicit: never },
    over: ['http'],
  }),
  inputRequests(
    'samples nobody gives',
    (id) => ({ id, method: 'sampling/createMessage', params: sampling }),
    {
      times: 5_000,
      refused: 5_000 - 200,
      options: { onSample: never },
    },
  ),
  {
    name: 'thousands, where a server must not send any',
    lies: flood((id) => ({ id, method: 'sampling/createMessage', params: sampling }), 20_000),
    revisions: [stateless],
    options: { onSample: never },
    act: (stage) => isLightOnce(() => stage.client.callTool('bad')),
    sees: { result: undefined },
    reported: /which this revision does not allow/,
    afterwards: ({ liar }) => expect(liar.answered).toBe(0),
  },
]);

/** Sends a message at an interval in milliseconds, until the call is over. */
async function ticking(
  stage: Stage,
  ms: number,
  paramsOf: (count: number, heard: Heard) => object,
): Promise<unknown> {
  let isOver = false;
  let reported: () => void = () => {};
  const call = stage.client.callTool('bad', {}, { onProgress: (_: Progress) => reported() }).finally(() => {
    isOver = true;
  });
  call.catch(() => undefined);
  const asked = await bad(stage);
  for (let count = 1; !isOver && count < 100; count++) {
    const heardOf = new Promise<void>((resolve) => {
      reported = resolve;
    });
    await asked.say({ method: 'notifications/progress', params: paramsOf(count, asked) });
    // A message behind the call on the same connection: when it was read, so was the call.
    await Promise.race([heardOf, stage.serves()]);
    await stage.clock.advance(ms);
  }
  return call;
}

const silent: Lies = { 'tools/call bad': () => {} };

async function bad(stage: Stage): Promise<Heard> {
  await stage.liar.receives('tools/call bad');
  return stage.liar.last;
}

table('progress', [
  {
    name: 'for ever: the total time ends it',
    lies: silent,
    revisions: [handshake, stateless],
    act: (stage) => ticking(stage, 30_000, (progress, { token }) => ({ progressToken: token, progress })),
    sees: { error: 'SessionError', why: 'timeout', text: /did not finish within 600000 ms.*"total"/ },
    afterwards: (stage) => expect(stage.clock.now()).toBe(600_000),
  },
  {
    name: 'that goes backwards grants no time',
    lies: silent,
    act: (stage) =>
      ticking(stage, 30_000, (count, { token }) => ({ progressToken: token, progress: -count })),
    sees: { error: 'SessionError', why: 'timeout', text: /not answered within 60000 ms/ },
    afterwards: (stage) => expect(stage.clock.now()).toBe(60_000),
  },
  {
    name: 'that stands still grants no time',
    lies: silent,
    act: (stage) => ticking(stage, 30_000, (_, { token }) => ({ progressToken: token, progress: 1 })),
    sees: { error: 'SessionError', why: 'timeout', text: /not answered within 60000 ms/ },
    afterwards: (stage) => expect(stage.clock.now()).toBe(60_000),
  },
  ...(
    [
      ['with the token as text', (token: unknown) => String(token)],
      ['with the token of another call', (token: unknown) => Number(token) + 1],
      ['with a token that is an object', (token: unknown) => ({ token })],
      ['with __proto__ for a token', () => '__proto__'],
    ] as const
  ).map(
    ([name, tokenOf]): Row => ({
      name: `${name} grants no time`,
      lies: silent,
      over: ['http'],
      revisions: [handshake],
      act: (stage) =>
        ticking(stage, 30_000, (progress, { token }) => ({ progressToken: tokenOf(token), progress })),
      sees: { error: 'SessionError', why: 'timeout', text: /not answered within 60000 ms/ },
      afterwards: (stage) => expect(stage.clock.now()).toBe(60_000),
    }),
  ),
]);
