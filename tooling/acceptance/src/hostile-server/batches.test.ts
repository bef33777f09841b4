import type { Revision } from '@tenon/mcp-protocol';
import { type Gets, type MessageRow, messageTable } from './message-table.js';
import { batching, everyRevision, type Speech } from './speech.js';

const refused: Gets = { code: -32600 };
const without = everyRevision.filter((one: Revision) => !batching.includes(one));
const list = (...texts: readonly string[]) => `[${texts.join(',')}]`;
const many = (count: number, text: (index: number) => string) =>
  list(...Array.from({ length: count }, (_, index) => text(index)));
const nothing = (speech: Speech, id: unknown) => speech.call(id, 'nothing');
const done = (id: unknown) => ({ id, result: { content: [{ text: 'nothing' }] } });
const rootProblem = { error: { code: -32600 } };

const where: MessageRow[] = [
  ['nothing', () => '[]'],
  ['one call', (speech: Speech) => list(nothing(speech, 1))],
  ['two calls', (speech: Speech) => list(nothing(speech, 1), nothing(speech, 2))],
  ['notifications', (speech: Speech) => list(speech.notice('notifications/initialized'))],
  ['an answer', () => '[{"jsonrpc":"2.0","id":1,"result":{}}]'],
  ['a batch', (speech: Speech) => list(list(nothing(speech, 1)))],
  ['10,000 calls', (speech: Speech) => many(10_000, (id) => nothing(speech, id))],
  ['100,000 empty batches', () => many(100_000, () => '[]')],
].map(([name, says]) => ({
  name: `a batch of ${name}`,
  says: says as MessageRow['says'],
  gets: refused,
  in: without,
}));

const odd: readonly (readonly [string, MessageRow['says'], Gets])[] = [
  ['nothing', () => '[]', refused],
  [
    '101 calls',
    (speech) => many(101, (id) => nothing(speech, id)),
    { code: -32600, text: /100 messages, not 101/ },
  ],
  ['10,000 calls', (speech) => many(10_000, (id) => nothing(speech, id)), refused],
  ['10,000 notifications', (speech) => many(10_000, () => speech.notice('notifications/none')), refused],
  ['100,000 empty batches', () => many(100_000, () => '[]'), refused],
  [
    'as many calls as there may be',
    (speech) => many(100, (id) => nothing(speech, id)),
    { list: Array.from({ length: 100 }, (_, id) => done(id)) },
  ],
  ['numbers', () => '[1,2,3]', { list: [rootProblem, rootProblem, rootProblem] }],
  ['an empty batch', () => '[[]]', { list: [rootProblem] }],
  [
    'a batch',
    (speech) => list(list(nothing(speech, 1)), nothing(speech, 2)),
    { list: [rootProblem, done(2)] },
  ],
  ['null and a call', (speech) => list('null', nothing(speech, 2)), { list: [rootProblem, done(2)] }],
  [
    'a call, a notification, an answer and nonsense',
    (speech) =>
      list(
        nothing(speech, 1),
        speech.notice('notifications/none'),
        '{"jsonrpc":"2.0","id":9,"result":{}}',
        '{"x":1}',
      ),
    { list: [done(1), rootProblem] },
  ],
  [
    'two calls of one id, which are answered one after the other',
    (speech) => list(nothing(speech, 1), nothing(speech, 1)),
    { list: [done(1), done(1)] },
  ],
  [
    'two calls of one id, of which one takes its time',
    (speech) => list(speech.call(1, 'hold'), nothing(speech, 1), speech.call(2, 'let-go')),
    {
      list: [
        { id: 1, result: { content: [{ text: 'let go' }] } },
        { id: 1, ...rootProblem },
        { id: 2, result: { content: [{ text: '1' }] } },
      ],
    },
  ],
  [
    'a call and a handshake',
    (speech) => list(nothing(speech, 1), speech.initialize(2)),
    { list: [done(1), { id: 2, ...rootProblem }] },
  ],
  ['a handshake', (speech) => list(speech.initialize(2)), { list: [{ id: 2, ...rootProblem }] }],
  ['notifications', (speech) => many(100, () => speech.notice('notifications/none')), 'nothing'],
  ['unrequested answers', () => many(100, (id) => `{"jsonrpc":"2.0","id":${id},"result":{}}`), 'nothing'],
  [
    'ids that are prototypes',
    (speech) => list(nothing(speech, '__proto__'), nothing(speech, 'constructor')),
    { list: [done('__proto__'), done('constructor')] },
  ],
];

messageTable('batches where there are none', where);
messageTable(
  'batches where there are',
  odd.map(([name, says, gets]) => ({ name: `a batch of ${name}`, says, gets, in: batching })),
);
