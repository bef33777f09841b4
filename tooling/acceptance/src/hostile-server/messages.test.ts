import { type MessageRow, messageTable } from './message-table.js';
import { handshakes, type Speech } from './speech.js';

const raw = (text: string) => () => text;
const bad = -32600;
const noId = undefined;

const notMessages: MessageRow[] = ['1', '"tools/list"', 'null', 'true', '{}', '-0', '{"jsonrpc":"2.0"}'].map(
  (text) => ({
    name: `${text} is no message`,
    says: raw(text),
    gets: { code: bad, id: noId },
  }),
);

const envelopes: MessageRow[] = [
  ['another version of JSON-RPC', '{"jsonrpc":"1.0","id":1,"method":"ping"}', 1],
  ['a version that is a number', '{"jsonrpc":2.0,"id":1,"method":"ping"}', 1],
  ['no version', '{"id":1,"method":"ping"}', 1],
  ['a method that is a number', '{"jsonrpc":"2.0","id":1,"method":5}', 1],
  ['a method that is null', '{"jsonrpc":"2.0","id":1,"method":null}', 1],
  ['a method that is a list', '{"jsonrpc":"2.0","id":1,"method":["ping"]}', 1],
  ['a method that is an object', '{"jsonrpc":"2.0","id":1,"method":{"toString":"ping"}}', 1],
  ['a method and a result', '{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}', 1],
  ['a method and an error', '{"jsonrpc":"2.0","id":1,"method":"ping","error":{"code":1,"message":""}}', 1],
  ['an id and nothing else', '{"jsonrpc":"2.0","id":1}', 1],
  ['a method that would be inherited', '{"__proto__":{"method":"ping"},"jsonrpc":"2.0","id":1}', 1],
  ['a version that would be inherited', '{"__proto__":{"jsonrpc":"2.0"},"id":1,"method":"ping"}', 1],
  ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', noId],
  ['an id that is a fraction', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', noId],
  ['an id beyond the integers', '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', noId],
  ['an id that is infinite', '{"jsonrpc":"2.0","id":1e999,"method":"ping"}', noId],
  ['an id that is an object', '{"jsonrpc":"2.0","id":{"toString":1},"method":"ping"}', noId],
  ['an id that is a list', '{"jsonrpc":"2.0","id":[1],"method":"ping"}', noId],
  ['an id that is a boolean', '{"jsonrpc":"2.0","id":true,"method":"ping"}', noId],
].map(([name, text, id]) => ({ name: `${name}`, says: raw(`${text}`), gets: { code: bad, id } }));

const longIds: MessageRow[] = [1_025, 1_000_000].map((length) => ({
  name: `an id of ${length} characters`,
  says: (speech) => speech.call('i'.repeat(length), 'nothing'),
  gets: { code: bad, id: noId, text: /at most 1024 characters/ },
}));

const goodIds = [
  '',
  '__proto__',
  'constructor',
  'toString',
  '\u0000',
  '\ud800',
  '1',
  'i'.repeat(1_024),
  0,
  -1,
  Number.MAX_SAFE_INTEGER,
];
const oddIds: MessageRow[] = goodIds.map((id) => ({
  name: `the id ${JSON.stringify(id).slice(0, 40)} is as good as any`,
  says: (speech) => speech.call(id, 'nothing'),
  gets: { result: { content: [{ text: 'nothing' }] }, id },
}));

const twice: MessageRow = {
  name: 'two ids in one message: the last is meant',
  says: (speech) => speech.call(1, 'nothing').replace('"id":1', '"id":7,"id":1'),
  gets: { result: { content: [{ text: 'nothing' }] }, id: 1 },
};

const paramsSorts: MessageRow[] = ['[]', '"x"', '1', 'null', 'true'].map((params) => ({
  name: `params that are ${params}`,
  says: raw(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${params}}`),
  // Null and [] are read as absent params, which a request without a session must have.
  gets: ({ lifecycle }) =>
    lifecycle === 'handshake' && (params === 'null' || params === '[]')
      ? { result: {} }
      : { code: -32602, id: 1, status: 400 },
}));

const prototypes = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];
const methods = [
  ...prototypes,
  '',
  'no/such',
  'TOOLS/LIST',
  'tools/list ',
  'tools/list\u0000',
  'tools',
  'rpc.discover',
  'm'.repeat(100_000),
];
const strangers: MessageRow[] = [
  ...methods.map((method) => [JSON.stringify(method).slice(0, 40), method] as const),
  ...['sampling/createMessage', 'roots/list', 'elicitation/create'].map(
    (method) => [`what only a client answers: ${method}`, method] as const,
  ),
  ['a notification with an id', 'notifications/initialized'] as const,
].map(([name, method]) => ({
  name: `the method ${name}`,
  says: (speech: Speech) => speech.request(1, method),
  gets: { code: -32601, id: 1 },
  // Headers cannot contain this text.
  ...((!/^[!-~]*$/.test(method) || method.length > 1_000) && { over: ['stream', 'process'] as const }),
}));

const unasked: MessageRow[] = [
  ['a result', '{"jsonrpc":"2.0","id":1,"result":{}}'],
  ['a result that is null', '{"jsonrpc":"2.0","id":1,"result":null}'],
  ['an error', '{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}'],
  ['an error that is none', '{"jsonrpc":"2.0","id":1,"error":"no"}'],
  ['a result and an error', '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":-1,"message":"no"}}'],
  ['a result for no id', '{"jsonrpc":"2.0","result":{}}'],
  ['an error for no id', '{"jsonrpc":"2.0","error":{"code":-32700,"message":"what?"}}'],
  ['an error for the id null', '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}'],
  ['a result for an id of prototypes', '{"jsonrpc":"2.0","id":"__proto__","result":{}}'],
  ['a result for a very long id', JSON.stringify({ jsonrpc: '2.0', id: 'i'.repeat(100_000), result: {} })],
].map(([name, text]) => ({
  name: `${name}, which nobody asked for`,
  says: raw(`${text}`),
  gets: 'nothing',
  status: ({ lifecycle }) => (lifecycle === 'stateless' ? 400 : 202),
}));

const unaskedBroken: MessageRow[] = ['{"a":1}', '[1]', '1.5', 'true'].map((id) => ({
  name: `a result for the id ${id} is not answered`,
  says: raw(`{"jsonrpc":"2.0","id":${id},"result":{}}`),
  gets: 'nothing',
  status: () => 400,
}));

const again: MessageRow = {
  name: 'a second initialize',
  says: (speech) => speech.initialize(1),
  gets: { code: bad, id: 1 },
  in: handshakes,
  over: ['stream', 'process'],
};

messageTable('invalid messages, and malformed envelopes', [
  ...notMessages,
  ...envelopes,
  ...longIds,
  ...oddIds,
  twice,
  ...paramsSorts,
]);
messageTable('methods there are none of', strangers);
messageTable('unrequested answers', [...unasked, ...unaskedBroken]);
messageTable('a conversation that is begun twice', [again]);
