import { expect } from 'vitest';
import { goodContent, type Heard, type Lies } from './liar.js';
import { handshake, type Row, type Seen, stateless, table } from './table.js';

const content = goodContent;
const good = { resultType: 'complete', content };

const bad = (lie: (heard: Heard) => unknown): Lies => ({ 'tools/call bad': lie });
/** Sends this response with the right id. */
const says = (given: object) => bad((heard) => heard.say({ id: heard.id, ...given }));
/** Sends a valid response with an id derived from the right one. */
const under = (idOf: (id: number) => unknown) =>
  bad((heard) => heard.say({ id: idOf(Number(heard.id)), result: good }));
const result = (given: unknown) => says({ result: given });
const error = (given: unknown) => says({ error: given });

const expires: Pick<Row, 'revisions' | 'sees' | 'waits'> = {
  revisions: [handshake, stateless],
  waits: 60_000,
  sees: { error: 'SessionError', why: 'timeout', text: /tools\/call bad was not answered within 60000 ms/ },
};
const unmatched: Pick<Row, 'reported'> = { reported: /^response: An answer with .+ matches no request/ };
const byHttp: Pick<Row, 'over'> = { over: ['http'] };
const notValid = (text: RegExp): Seen => ({ error: 'SessionError', why: 'invalid-answer', text });
const isGood: Seen = { result: expect.objectContaining({ content, isError: false }) };

const deep = bad((heard) =>
  heard.way.say(`{"jsonrpc":"2.0","id":${heard.id},"result":${'['.repeat(1e5)}${']'.repeat(1e5)}}`),
);

table('answers to nobody', [
  { name: 'none at all', lies: bad(() => {}), ...expires },
  { name: 'one under another id', lies: under((id) => id + 1_000), ...expires, ...unmatched },
  {
    name: 'one under the id of a call that is answered',
    lies: under((id) => id - 1),
    ...expires,
    ...unmatched,
  },
  {
    name: 'one under the text of its id',
    lies: under(String),
    revisions: [handshake, stateless],
    sees: isGood,
    reported: /^tools\/call: .+ an answer has the text of a number as its id/,
  },
  { name: 'one under the text of its id, padded', lies: under((id) => `0${id}`), ...expires, ...unmatched },
  {
    name: 'one under an id that is nearly the same',
    lies: under((id) => id + 1e-9),
    ...expires,
    reported: /id/,
  },
  { name: 'one under a negative id', lies: under((id) => -id), ...expires, ...unmatched },
  { name: 'one under an id of 2^32 more', lies: under((id) => id + 2 ** 32), ...expires, ...unmatched },
  { name: 'one under a list with the id', lies: under((id) => [id]), ...expires, reported: /id/ },
  { name: 'one under an object', lies: under((id) => ({ id })), ...expires, reported: /id/ },
  { name: 'one under true', lies: under(() => true), ...expires, reported: /id/ },
  { name: 'one under null', lies: under(() => null), ...expires, ...unmatched },
  { name: 'one under __proto__', lies: under(() => '__proto__'), ...expires, ...unmatched },
  { name: 'one without id', lies: bad((heard) => heard.say({ result: good })), ...expires, ...unmatched },
  {
    name: 'an error without id',
    lies: bad((heard) => heard.say({ error: { code: -32603, message: 'Whose?' } })),
    ...expires,
    reported: /a response without id: Whose\?/,
  },
  {
    name: 'one of another JSON-RPC',
    lies: says({ jsonrpc: '1.0', result: good }),
    ...expires,
    reported: /jsonrpc/,
  },
  {
    name: 'one in a batch where there are none',
    lies: bad((heard) => heard.way.say(JSON.stringify([{ jsonrpc: '2.0', id: heard.id, result: good }]))),
    ...expires,
    reported: /batch/i,
  },
  {
    name: 'text that is no JSON',
    lies: bad((heard) => heard.way.say('{"jsonrpc":"2.0","id":')),
    waits: 60_000,
    sees: { error: 'SessionError', why: 'timeout', text: /what could not be read here/ },
    reported: /JSON/,
  },
  {
    name: 'one that is nested 100,000 deep',
    lies: deep,
    sees: { error: 'SessionError', why: 'limit', text: /nested in more than 512 levels/ },
    reported: /512 levels/,
  },
]);

table('answers that are one too many', [
  {
    name: 'two, of which the second is reported',
    lies: bad(async (heard) => {
      await heard.say({ id: heard.id, result: good });
      await heard.say({ id: heard.id, result: good });
    }),
    over: ['stdio'],
    revisions: [handshake, stateless],
    sees: isGood,
    ...unmatched,
  },
  {
    name: 'a hundred thousand, reported a few times',
    lies: bad(async (heard) => {
      await heard.say({ id: heard.id, result: good });
      await heard.flood(100_000, () => ({ id: heard.id, result: good }));
    }),
    over: ['stdio'],
    sees: isGood,
    reported: /^response: .+ 65536 such answers have come so far\./,
    afterwards: ({ reported }) => expect(reported).toHaveLength(16 + 12),
  },
  {
    name: 'two that agree',
    lies: bad(async (heard) => {
      await heard.say({ id: heard.id, result: good });
      await heard.say({ id: heard.id, result: good });
    }),
    sees: isGood,
  },
  {
    name: 'a result, then an error',
    lies: bad(async (heard) => {
      await heard.say({ id: heard.id, result: good });
      await heard.say({ id: heard.id, error: { code: -32603, message: 'No' } });
    }),
    sees: isGood,
  },
  {
    name: 'an error, then a result',
    lies: bad(async (heard) => {
      await heard.say({ id: heard.id, error: { code: -32603, message: 'No' } });
      await heard.say({ id: heard.id, result: good });
    }),
    sees: { error: 'RemoteError', why: -32603, text: /^No$/ },
  },
  {
    name: 'one thousand',
    lies: bad((heard) => heard.flood(1_000, () => ({ id: heard.id, result: good }))),
    sees: isGood,
  },
  {
    name: 'one after the call has expired',
    lies: {
      'tools/call bad': () => {},
      'tools/call good': (heard) => {
        void heard.say({ id: Number(heard.id) - 1, result: { content: [] } });
        heard.answer(good);
      },
    },
    act: async (stage) => {
      const expired = stage.client.callTool('bad').catch((error: Error) => error.message);
      await stage.liar.receives('tools/call bad');
      await stage.clock.advance(60_000);
      const next = await stage.client.callTool('good');
      return [await expired, next.content];
    },
    sees: { result: [expect.stringContaining('60000 ms'), content] },
  },
  {
    name: 'a result and an error in one',
    lies: says({ result: good, error: { code: 1, message: 'x' } }),
    sees: notValid(/either a result or a well-formed error/),
  },
  {
    name: 'neither result nor error',
    lies: says({}),
    sees: notValid(/either a result or a well-formed error/),
  },
]);

table('answers that hold the wrong things', [
  ...[null, 1, 'good', true, [], [good]].map(
    (value): Row => ({
      name: `the result ${JSON.stringify(value)}`,
      ...byHttp,
      lies: result(value),
      sees: notValid(/result|object/),
    }),
  ),
  ...[
    null,
    'broken',
    7,
    [],
    {},
    { message: 'No' },
    { code: 1 },
    { code: '1', message: 'No' },
    { code: 1.5, message: 'No' },
    { code: 1, message: 7 },
  ].map(
    (value): Row => ({
      name: `the error ${JSON.stringify(value)}`,
      ...byHttp,
      lies: error(value),
      sees: notValid(/error/),
    }),
  ),
  {
    name: 'content that is no list',
    ...byHttp,
    lies: result({ ...good, content: 'good' }),
    sees: notValid(/result\.content/),
  },
  {
    name: 'no content',
    lies: result({ resultType: 'complete', other: 'kept' }),
    revisions: [handshake, stateless],
    sees: { result: expect.objectContaining({ content: [], isError: false, other: 'kept' }) },
    reported: /^tools\/call: .+ a tool result has no "content"/,
  },
  {
    name: 'content of null',
    ...byHttp,
    lies: result({ ...good, content: [null] }),
    sees: notValid(/content\[0\]/),
  },
  {
    name: 'text that is none',
    ...byHttp,
    lies: result({ ...good, content: [{ type: 'text', text: 1 }] }),
    sees: notValid(/content\[0\]\.text/),
  },
  {
    name: 'isError that is no boolean',
    ...byHttp,
    lies: result({ ...good, isError: 'no' }),
    sees: notValid(/isError/),
  },
  {
    name: 'structured content that is no object',
    ...byHttp,
    lies: result({ ...good, structuredContent: 'yes' }),
    revisions: [handshake],
    sees: notValid(/structuredContent/),
  },
  {
    name: '_meta that is no object',
    ...byHttp,
    lies: result({ ...good, _meta: 7 }),
    sees: notValid(/_meta/),
  },
  {
    name: 'a kind of result nobody knows',
    ...byHttp,
    lies: result({ ...good, resultType: 'later' }),
    revisions: [stateless],
    sees: notValid(/resultType|later/),
  },
  {
    name: 'members that would change every object',
    lies: bad((heard) =>
      heard.way.say(
        `{"jsonrpc":"2.0","id":${heard.id},"result":{"resultType":"complete","content":[{"type":"text","text":"good"}],"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}},"__proto__":{"error":{"code":1,"message":"x"}}}`,
      ),
    ),
    sees: { result: expect.objectContaining({ content }) },
    afterwards: () => expect(({} as Record<string, unknown>).polluted).toBeUndefined(),
  },
  {
    name: 'an error whose text is long, and data that is anything',
    ...byHttp,
    lies: error({ code: 5, message: 'x'.repeat(100_000), data: { __proto__: null, deep: [[[]]] } }),
    sees: { error: 'RemoteError', why: 5, text: /^x+$/ },
  },
]);
