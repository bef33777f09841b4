import type { Revision } from '@tenon/mcp-protocol';
import { type Gets, type MessageRow, messageTable } from './message-table.js';
import { everyRevision, handshakes, oneOfEachKind, type Speech } from './speech.js';

const prototypes = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype'];
const names = [...prototypes, '', ' ', 'Echo', 'echo ', '../echo', 'echo\u0000', 'n'.repeat(8_000)];
const lengthy = 'n'.repeat(1_000_000);
const lines = ['stream', 'process'] as const;

const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 40);
const invalid: Gets = { code: -32602, id: 1 };
/** Values that are invalid as params are rejected at the edge. */
const [newest] = everyRevision as [Revision];

/** Rows for each value of one member. */
function each(
  name: string,
  values: readonly unknown[],
  says: (speech: Speech, value: unknown) => string,
): readonly MessageRow[] {
  return values.map((value) => ({
    name: `${name} ${shown(value)}`,
    says: (speech) => says(speech, value),
    gets: invalid,
    ...(typeof value === 'string' && value.length > 10_000 && { over: lines, in: oneOfEachKind }),
  }));
}

/** Rows for null, and for what else is read as an absent member. */
function absent(name: string, values: readonly unknown[], says: (speech: Speech, value: unknown) => string) {
  return values.map((value) => ({
    name: `${name} ${shown(value)}, which is read as absent`,
    says: (speech: Speech) => says(speech, value),
    gets: { result: {} },
  }));
}

const notNames: readonly unknown[] = [5, null, true, {}, ['echo'], { toString: 'echo' }];

messageTable('tools there are none of', [
  ...each('the tool', [...names, lengthy, ...notNames], (speech, name) => speech.call(1, name)),
  {
    name: 'a tool without a name',
    says: (speech) => speech.request(1, 'tools/call', { arguments: {} }),
    gets: invalid,
  },
]);

messageTable('prompts there are none of', [
  ...each('the prompt', [...names, lengthy, ...notNames], (speech, name) =>
    speech.request(1, 'prompts/get', { name }),
  ),
  ...each(
    'arguments of a prompt that are',
    [{ name: 5 }, { name: null }, { name: {} }, [], 'Ada', {}],
    (speech, given) => speech.request(1, 'prompts/get', { name: 'greet', arguments: given }),
  ),
  ...prototypes.slice(0, 3).map((name) => ({
    name: `an argument of a prompt that is named ${name}`,
    says: (speech: Speech) =>
      speech.request(1, 'prompts/get', { name: 'greet', arguments: JSON.parse(`{"${name}":"Ada"}`) }),
    gets: invalid,
  })),
]);

const uris = [
  ...prototypes,
  '',
  'memo://ONE',
  'memo://one/',
  'memo://one?x',
  'memo://one%00',
  'memo://kept/',
  'memo://kept/one',
  'memo://kept/two/../../one',
  'memo://kept/%2e%2e%2fone',
  'memo://kept/..%5cone',
  'memo://kept/__proto__',
  'memo://kept/constructor',
  'memo://kept/%',
  'memo://kept/%ff',
  'file:///etc/passwd',
  'file:///../../etc/passwd',
  'javascript:alert(1)',
  `memo://kept/${'x'.repeat(8_000)}`,
];
const notFound = (revision: Revision): Gets => ({
  code: revision.lifecycle === 'stateless' ? -32602 : -32002,
  id: 1,
});

messageTable('resources there are none of', [
  ...uris.map((uri) => ({
    name: `the resource ${shown(uri)}`,
    says: (speech: Speech) => speech.request(1, 'resources/read', { uri }),
    gets: notFound,
  })),
  {
    name: 'a URI of a million characters',
    in: oneOfEachKind,
    says: (speech) => speech.request(1, 'resources/read', { uri: `memo://kept/${lengthy}` }),
    gets: notFound,
    over: lines,
  },
  ...each('a URI that is', notNames, (speech, uri) => speech.request(1, 'resources/read', { uri })),
]);

/** The response of a tool to invalid arguments: a protocol error, or a tool error. */
const unfit = (revision: Revision): Gets =>
  revision.rules.badToolInput === 'tool-error' ? { result: { isError: true } } : { code: -32602, id: 1 };
const echo = (input: string) => (speech: Speech) =>
  speech.call(1, 'echo').replace('"arguments":{}', `"arguments":${input}`);
const keys = (input: string) => (speech: Speech) =>
  speech.call(1, 'keys').replace('"arguments":{}', `"arguments":${input}`);
const nested = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
const gives = (text: string): Gets => ({ result: { content: [{ text }] } });

messageTable('arguments', [
  ...['"text"', '5', 'true', '[{"text":"x"}]'].map((input) => ({
    name: `that are ${input}`,
    says: echo(input),
    gets: invalid,
  })),
  ...[
    '{}',
    // Read as {}.
    '[]',
    '{"text":5}',
    '{"text":null}',
    '{"text":["x"]}',
    '{"text":{"toString":"x"}}',
    '{"__proto__":{"text":"inherited"}}',
    '{"constructor":{"prototype":{"text":"inherited"}}}',
    '{"TEXT":"x"}',
  ].map((input) => ({ name: `that do not fit: ${input}`, says: echo(input), gets: unfit })),
  { name: 'an argument no tool takes', says: (speech) => speech.call(1, 'nothing', { x: 1 }), gets: unfit },
  {
    name: 'named as members of objects',
    says: keys('{"constructor":1,"toString":2}'),
    gets: gives('["constructor","toString"]'),
  },
  {
    name: "of which one is an object's origin",
    says: echo('{"text":"good","__proto__":{"text":"bad"}}'),
    gets: gives('good'),
  },
  { name: 'given twice: the last counts', says: echo('{"text":"first","text":"last"}'), gets: gives('last') },
  {
    name: 'of three million characters',
    in: oneOfEachKind,
    says: echo(JSON.stringify({ text: 'x'.repeat(3_000_000) })),
    gets: gives('x'.repeat(3_000_000)),
  },
  {
    name: 'with control characters and half characters',
    says: echo('{"text":"\\u0000\\ud800\\u2028"}'),
    gets: gives('\u0000\ud800\u2028'),
  },
  { name: 'nested in 500 levels', says: keys(nested(500)), gets: gives('["a"]') },
  {
    name: 'nested in 513 levels',
    says: keys(nested(513)),
    gets: { code: -32600, text: /512 levels/, id: 1 },
  },
  {
    name: 'nested in 100,000 levels',
    in: oneOfEachKind,
    says: keys(nested(100_000)),
    gets: { code: -32600, text: /512 levels/, id: 1 },
  },
  {
    name: 'nested in a million levels',
    in: oneOfEachKind,
    says: keys(nested(1_000_000)),
    gets: { code: -32600, text: /512 levels/, id: 1 },
  },
  {
    name: 'that open a million brackets and close none',
    in: oneOfEachKind,
    says: () => '['.repeat(1_000_000),
    gets: { code: -32700 },
  },
  { name: 'that open objects alone', says: () => '{"a":'.repeat(300_000), gets: { code: -32700 } },
]);

const ask = (ref: unknown, argument: unknown) => (speech: Speech) =>
  speech.request(1, 'completion/complete', { ref, argument });
const greet = { type: 'ref/prompt', name: 'greet' };
messageTable('completions', [
  ...[
    [
      { type: 'ref/prompt', name: '__proto__' },
      { name: 'name', value: '' },
    ],
    [
      { type: 'ref/resource', uri: 'constructor' },
      { name: 'id', value: '' },
    ],
    [
      { type: 'constructor', name: 'greet' },
      { name: 'name', value: '' },
    ],
    [{ type: '__proto__' }, { name: 'name', value: '' }],
    ['ref/prompt', { name: 'name', value: '' }],
    [null, { name: 'name', value: '' }],
    [greet, null],
    [greet, { name: 'name', value: 5 }],
    [greet, { name: 5, value: '' }],
    [greet, { name: 'name' }],
  ].map(([ref, argument]) => ({
    name: `of ${shown(argument)} for ${shown(ref)}`,
    says: ask(ref, argument),
    gets: invalid,
  })),
  ...['__proto__', 'constructor', 'toString', 'none'].map((name) => ({
    name: `of an argument ${name}`,
    says: ask(greet, { name, value: '' }),
    gets: { result: { completion: { values: [], hasMore: false } } },
  })),
  {
    name: 'of a very long beginning',
    in: oneOfEachKind,
    says: ask(greet, { name: 'name', value: 'x'.repeat(1_000_000) }),
    gets: { result: { completion: { values: ['Ada', 'Grace'] } } },
  },
]);

const levels = ['loud', '', 'INFO', '__proto__', 'constructor', 'toString', 7, null, {}, ['info']];
messageTable('log levels that are none', [
  ...each('the level', levels, (speech, level) => speech.request(1, 'logging/setLevel', { level })).map(
    (row) => ({
      ...row,
      in: handshakes,
    }),
  ),
  {
    name: 'no level',
    says: (speech) => speech.request(1, 'logging/setLevel'),
    gets: invalid,
    in: handshakes,
  },
  ...each(
    'for one request, the level',
    levels.filter((level) => level !== null),
    (speech, level) =>
      speech.request(1, 'tools/list', { _meta: { 'io.modelcontextprotocol/logLevel': level } }),
  ).map((row) => ({ ...row, in: [newest], status: () => 400 })),
  ...absent('for one request, the level', [null], (speech, level) =>
    speech.request(1, 'tools/list', { _meta: { 'io.modelcontextprotocol/logLevel': level } }),
  ).map((row) => ({ ...row, in: [newest] })),
  {
    name: 'a level for everything, where there is none',
    says: (speech) => speech.request(1, 'logging/setLevel', { level: 'info' }),
    gets: { code: -32601, id: 1 },
    in: [newest],
  },
]);

const cursors = [
  '',
  'x',
  '0',
  '-1',
  '2',
  'A'.repeat(22),
  '_'.repeat(22),
  'é'.repeat(22),
  '__proto__',
  'constructor',
  '../../../etc/passwd',
  "' OR 1=1 --",
  lengthy,
  0,
  1e9,
  {},
  ['x'],
];
messageTable(
  'cursors that were never issued',
  ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'].flatMap((method) =>
    [
      ...each(`${method} from`, cursors, (speech, cursor) => speech.request(1, method, { cursor })),
      ...absent(`${method} from`, [null], (speech, cursor) => speech.request(1, method, { cursor })),
    ].map((row: MessageRow) => ({
      ...row,
      over: method === 'tools/list' ? (row.over ?? [...lines, 'http' as const]) : (['stream'] as const),
    })),
  ),
);

const tokens = [{}, [], true, 1.5, 't'.repeat(1_025), lengthy];
messageTable('progress tokens and _meta', [
  ...absent('the token', [null], (speech, progressToken) =>
    speech.request(1, 'tools/call', { name: 'nothing', _meta: { progressToken } }),
  ),
  ...tokens.map((progressToken) => ({
    name: `the token ${shown(progressToken)}`,
    says: (speech: Speech) => speech.request(1, 'tools/call', { name: 'nothing', _meta: { progressToken } }),
    gets: invalid,
    status: ({ lifecycle }: Revision) =>
      lifecycle === 'stateless' || typeof progressToken === 'string' ? 400 : 200,
  })),
  ...['__proto__', '', 0, -1, 't'.repeat(1_024)].map((progressToken) => ({
    name: `the token ${shown(progressToken)} is as good as any`,
    says: (speech: Speech) => speech.request(1, 'tools/call', { name: 'nothing', _meta: { progressToken } }),
    gets: gives('nothing'),
  })),
  ...['[]', '"x"', '5', 'null', 'true'].map((meta) => ({
    name: `_meta that is ${meta}`,
    says: () => `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":${meta}}}`,
    // Null and [] are read as absent, and a request without a session must have _meta.
    gets: ({ lifecycle }: Revision): Gets =>
      lifecycle === 'handshake' && (meta === 'null' || meta === '[]') ? { result: {} } : invalid,
    status: ({ lifecycle }: Revision) => (lifecycle === 'stateless' ? 400 : 200),
  })),
]);

messageTable('subscriptions', [
  ...each('to', [5, null, {}, 'x'.repeat(8_193), lengthy], (speech, uri) =>
    speech.request(1, 'resources/subscribe', { uri }),
  ).map((row) => ({ ...row, in: handshakes })),
  ...['memo://one', 'memo://none', '__proto__', ''].map((uri) => ({
    name: `an end of what was never begun: ${shown(uri)}`,
    says: (speech: Speech) => speech.request(1, 'resources/unsubscribe', { uri }),
    gets: { result: {} },
    in: handshakes,
  })),
  ...['resources/subscribe', 'resources/unsubscribe'].map((method) => ({
    name: `${method} where there is none`,
    says: (speech: Speech) => speech.request(1, method, { uri: 'memo://one' }),
    gets: { code: -32601, id: 1 },
    in: [newest],
  })),
  ...[
    '"all"',
    '5',
    '{"toolsListChanged":"yes"}',
    '{"resourceSubscriptions":"all"}',
    '{"resourceSubscriptions":[5]}',
  ].map((filter) => ({
    name: `listening to ${filter}`,
    says: (speech: Speech) =>
      speech.request(1, 'subscriptions/listen', { notifications: JSON.parse(filter) }),
    gets: invalid,
    in: [newest],
  })),
]);

const notices: readonly (readonly [string, string])[] = [
  ['an unknown method', '{"method":"notifications/none"}'],
  ['a method of prototypes', '{"method":"__proto__"}'],
  ['a method of a million characters', JSON.stringify({ method: lengthy })],
  ['a request without an id', '{"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"}}}'],
  ['an initialize without an id', '{"method":"initialize","params":{}}'],
  ['another initialized', '{"method":"notifications/initialized"}'],
  ['initialized with nonsense', '{"method":"notifications/initialized","params":{"x":1}}'],
  ['a cancellation of nothing in flight', '{"method":"notifications/cancelled","params":{"requestId":77}}'],
  ['a cancellation without an id', '{"method":"notifications/cancelled","params":{}}'],
  ['a cancellation without params', '{"method":"notifications/cancelled"}'],
  ['a cancellation of prototypes', '{"method":"notifications/cancelled","params":{"requestId":"__proto__"}}'],
  ['a cancellation of an object', '{"method":"notifications/cancelled","params":{"requestId":{}}}'],
  ['a cancellation of null', '{"method":"notifications/cancelled","params":{"requestId":null}}'],
  [
    'a cancellation whose reason is none',
    '{"method":"notifications/cancelled","params":{"requestId":1,"reason":{}}}',
  ],
  ['unrequested progress', '{"method":"notifications/progress","params":{"progressToken":1,"progress":1}}'],
  [
    'progress for prototypes',
    '{"method":"notifications/progress","params":{"progressToken":"__proto__","progress":1}}',
  ],
  [
    'progress that is none',
    '{"method":"notifications/progress","params":{"progressToken":{},"progress":"far"}}',
  ],
  ['roots that changed, of a client without any', '{"method":"notifications/roots/list_changed"}'],
  ['what only a server says', '{"method":"notifications/tools/list_changed"}'],
  ['a log message', '{"method":"notifications/message","params":{"level":"info","data":"x"}}'],
];
messageTable(
  'notifications',
  notices.map(([name, text]) => ({
    name,
    says: () => `{"jsonrpc":"2.0",${text.slice(1)}`,
    gets: 'nothing',
    // If a header repeats the method, the request is rejected earlier.
    ...(text.length > 10_000 && { over: lines }),
  })),
);
