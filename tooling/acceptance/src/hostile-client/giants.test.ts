import { otherBounds } from '@tenon/foundation';
import { expect } from 'vitest';
import { final, goodContent, type Heard, type Lies } from './liar.js';
import { isLightOnce } from './strain.js';
import { handshake, type Row, stateless, table } from './table.js';

const bad = (lie: (heard: Heard) => unknown): Lies => ({ 'tools/call bad': lie });
const text = (length: number) => [{ type: 'text', text: 'x'.repeat(length) }];
const megabyte = 'x'.repeat(2 ** 20);
const small: Pick<Row, 'http' | 'stdio'> = {
  http: otherBounds({ maxEventChars: 50_000, maxStreamBytes: 500_000 }),
  stdio: { maxLineBytes: 50_000 },
};
const tooLong = (over: 'stdio' | 'http', size: number): Pick<Row, 'over' | 'sees'> =>
  over === 'stdio'
    ? { over: ['stdio'], sees: { error: 'SessionError', why: 'limit', text: new RegExp(`${size}`) } }
    : { over: ['http'], sees: { error: 'TransportError', text: new RegExp(`${size}`) } };

/** Continues one message until the client stops reading. */
async function goOn(heard: Heard, megabytes: number): Promise<void> {
  const start = `{"jsonrpc":"2.0","id":${heard.id},"result":{"content":[{"type":"text","text":"`;
  await heard.way.write(start);
  for (let count = 0; count < megabytes; count++) await heard.way.write(megabyte);
}

const light: Pick<Row, 'act'> = {
  act: async (stage) => {
    const call = stage.client.callTool('bad');
    call.catch(() => undefined);
    await isLightOnce(() => call.catch(() => undefined));
    return call;
  },
};
const both = [handshake, stateless];

table('giants', [
  ...(['stdio', 'http'] as const).flatMap((over): Row[] => [
    {
      name: 'a result past the bound that was set',
      lies: bad((heard) => heard.answer(final({ content: text(100_000) }))),
      revisions: both,
      ...small,
      ...tooLong(over, 50_000),
    },
    {
      name: 'a result past the bound there is by default',
      lies: bad((heard) => heard.answer(final({ content: text(17 * 2 ** 20) }))),
      ...tooLong(over, 16_777_216),
    },
    {
      name: 'an error past the bound',
      lies: bad((heard) => heard.refuse(-32603, 'x'.repeat(100_000))),
      ...small,
      ...tooLong(over, 50_000),
    },
    {
      name: 'a result without end',
      lies: bad((heard) => goOn(heard, 64)),
      ...light,
      ...tooLong(over, 16_777_216),
      serves: over === 'http',
    },
    {
      name: 'a result of many pieces of one character, past the bound',
      lies: bad(async (heard) => {
        await heard.way.write(`{"jsonrpc":"2.0","id":${heard.id},"result":{"content":"`);
        for (let count = 0; count < 60_000; count++) await heard.way.write('x');
        heard.way.end();
      }),
      ...small,
      ...light,
      ...tooLong(over, 50_000),
      serves: over === 'http',
    },
  ]),
  {
    name: 'a question past the bound, in the middle of a call',
    lies: bad(async (heard) => {
      await heard.say({ id: 'q', method: 'roots/list', params: { _meta: { x: 'x'.repeat(100_000) } } });
      heard.answer(final({ content: goodContent }));
    }),
    over: ['stdio'],
    stdio: { maxLineBytes: 50_000 },
    options: { roots: [] },
    sees: { result: expect.objectContaining({ content: goodContent }) },
    reported: /50000 bytes/,
  },
  {
    name: 'events that are small, and too many for one stream',
    lies: bad((heard) => heard.flood(100_000, () => ({ method: 'notifications/unknown' }))),
    over: ['http'],
    http: otherBounds({ maxStreamBytes: 500_000 }),
    sees: { error: 'TransportError', text: /500000 bytes \(limit maxStreamBytes\)/ },
  },
  {
    name: 'a list of 20,000 blocks is handed out',
    lies: bad((heard) =>
      heard.answer(final({ content: Array.from({ length: 20_000 }, () => goodContent[0]) })),
    ),
    act: async ({ client }) => (await client.callTool('bad')).content.length,
    sees: { result: 20_000 },
  },
]);
