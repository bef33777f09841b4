import { otherBounds } from '@tenon/foundation';
import { expect } from 'vitest';
import { type Heard, type Lies, listed, tool } from './liar.js';
import type { Stage } from './stage.js';
import { handshake, type Row, type Seen, stateless, table } from './table.js';

/** Responds to `tools/list` with a page that depends on the cursor and the number of pages so far. */
function pages(pageOf: (cursor: unknown, count: number) => object): Lies {
  let count = 0;
  return { 'tools/list': (heard) => heard.answer(listed(pageOf(heard.params.cursor, ++count))) };
}

const page = (lie: (heard: Heard) => unknown): Lies => ({ 'tools/list': lie });
const tools = (given: unknown) => pages(() => ({ tools: given }));
const all = ({ client }: Stage) => client.tools().all();
const names = async (stage: Stage) => (await all(stage)).map(({ name }) => name);
const read = (count: number) => (stage: Stage) => expect(stage.liar.count('tools/list')).toBe(count);

const endless = (name: string, lies: Lies): Row => ({
  name,
  lies,
  act: all,
  options: { limits: otherBounds({ pages: 20 }) },
  sees: { error: 'SessionError', why: 'limit', text: /more than 20 pages/ },
  afterwards: read(20),
});
const notValid = (text: RegExp): Seen => ({ error: 'SessionError', why: 'invalid-answer', text });
const one = [tool('good')];

table('lists without end', [
  endless(
    'the same cursor for ever',
    pages(() => ({ tools: one, nextCursor: 'again' })),
  ),
  {
    ...endless(
      'an empty cursor for ever, where one is a cursor',
      pages(() => ({ tools: [], nextCursor: '' })),
    ),
    revisions: [stateless],
  },
  {
    name: 'an empty cursor for ever, where one is the end',
    lies: pages(() => ({ tools: one, nextCursor: '' })),
    revisions: [handshake],
    act: names,
    sees: { result: ['good'] },
    reported: /^tools\/list: .+"nextCursor" is empty/,
    afterwards: read(1),
  },
  endless(
    'two cursors in turn',
    pages((_, count) => ({ tools: one, nextCursor: count % 2 ? 'odd' : 'even' })),
  ),
  endless(
    'a new cursor each time',
    pages((_, count) => ({ tools: one, nextCursor: `page ${count}` })),
  ),
  endless(
    'a cursor that grows',
    pages((cursor) => ({ tools: one, nextCursor: `${cursor ?? 'x'}`.repeat(2) })),
  ),
  endless(
    'cursors named as members of objects',
    pages(() => ({ tools: one, nextCursor: '__proto__' })),
  ),
  {
    ...endless(
      'a hundred pages without a stated limit',
      pages(() => ({ tools: [], nextCursor: 'on' })),
    ),
    over: ['stdio'],
    revisions: [handshake],
    options: {},
    sees: { error: 'SessionError', why: 'limit', text: /more than 100 pages/ },
    afterwards: read(100),
  },
  {
    ...endless(
      'large pages for ever, without a stated limit',
      pages((_, count) => ({
        tools: [tool(`good${count}`, { description: 'x'.repeat(8e6) })],
        nextCursor: 'on',
      })),
    ),
    options: {},
    sees: {
      error: 'SessionError',
      why: 'limit',
      text: /The list of tools\/list has more than 67108864 bytes: .+"limits.listBytes" of connect\(\)/,
    },
    afterwards: read(9),
  },
  {
    name: 'a page that refuses its own cursor for ever',
    lies: page((heard) =>
      heard.params.cursor === undefined
        ? heard.answer(listed({ tools: one, nextCursor: 'gone' }))
        : heard.refuse(-32602, 'Gone'),
    ),
    act: all,
    sees: { error: 'RemoteError', why: -32602, text: /^Gone$/ },
    afterwards: read(4),
  },
  {
    name: 'a second page that never comes',
    lies: page((heard) => heard.params.cursor ?? heard.answer(listed({ tools: one, nextCursor: 'later' }))),
    act: async (stage) => {
      const list = all(stage);
      list.catch(() => undefined);
      await stage.liar.receives('tools/list', 2);
      await stage.clock.advance(60_000);
      return list;
    },
    sees: { error: 'SessionError', why: 'timeout', text: /tools\/list was not answered/ },
  },
]);

table('lists that hold the wrong things', [
  ...[1, true, {}, ['x']].map(
    (nextCursor): Row => ({
      name: `the cursor ${JSON.stringify(nextCursor)}`,
      lies: pages(() => ({ tools: one, nextCursor })),
      over: ['http'],
      act: all,
      sees: notValid(/nextCursor/),
    }),
  ),
  ...[undefined, null, {}, 'good', { length: 1, 0: tool('good') }].map(
    (value): Row => ({
      name: `${JSON.stringify(value)} in place of tools`,
      lies: tools(value),
      over: ['http'],
      act: all,
      sees: notValid(/result\.tools/),
    }),
  ),
  ...[
    null,
    [],
    'good',
    {},
    { name: 7, inputSchema: { type: 'object' } },
    { name: 'x' },
    { name: 'x', inputSchema: 7 },
  ].map(
    (value): Row => ({
      name: `the tool ${JSON.stringify(value)}`,
      lies: tools([tool('good'), value]),
      act: names,
      sees: { result: ['good'] },
      reported: /^tools\/list: .+Left out of tools: 1 of 2: /,
    }),
  ),
  {
    name: 'a hundred thousand malformed tools',
    lies: tools([
      ...Array.from({ length: 1e5 }, (_, index) => ({ name: `\u001b[2J${index}` })),
      tool('good'),
    ]),
    act: names,
    sees: { result: ['good'] },
    reported: /^tools\/list: .+Left out of tools: 100000 of 100001: "0" \(.+"4" \(.+\) and 99995 more/,
    afterwards: ({ reported }) => expect(reported).toHaveLength(1),
  },
  {
    name: 'tools named as members of objects',
    lies: tools(['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''].map((name) => tool(name))),
    act: names,
    sees: { result: ['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''] },
  },
  {
    name: 'a tool of that name, called',
    lies: {
      ...tools([tool('__proto__', { outputSchema: { type: 'object', required: ['x'] } })]),
      'tools/call __proto__': (heard) =>
        heard.answer({ resultType: 'complete', content: [], structuredContent: { y: 1 } }),
    },
    act: async (stage) => {
      await all(stage);
      return stage.client.callTool('__proto__', { ['__proto__']: 1 });
    },
    sees: notValid(/"__proto__" does not match its schema/),
  },
  {
    name: 'a schema with members named as those of objects',
    lies: tools([
      tool('good', {
        inputSchema: { type: 'object', properties: JSON.parse('{"__proto__":{"type":"string"}}') },
      }),
    ]),
    act: names,
    sees: { result: ['good'] },
    afterwards: () => expect(({} as Record<string, unknown>).type).toBeUndefined(),
  },
  {
    name: 'the same name twice',
    lies: tools([tool('good', { title: 'one' }), tool('good', { title: 'two' })]),
    act: names,
    sees: { result: ['good', 'good'] },
  },
]);

const https = { src: 'https://example.com/icon.png' };
const unsafe = [
  'javascript:alert(1)',
  'http://example.com/icon.png',
  'file:///etc/passwd',
  'ftp://example.com/icon.png',
  'ws://example.com/icon.png',
  'blob:https://example.com/1',
  'about:blank',
  'data:text/html,<script>alert(1)</script>',
  'data:,plain',
  'https://user:secret@example.com/icon.png',
  '/icon.png',
  '//example.com/icon.png',
  ' javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  '',
  `https://example.com/${'x'.repeat(4_096)}`,
  `data:image/png;base64,${'A'.repeat(200_000)}`,
];
const icons = (given: readonly object[]) => tools([tool('good', { icons: given })]);
const iconsOf = async (stage: Stage) => (await all(stage)).map((each) => each.icons);

table('icons', [
  ...unsafe.map(
    (src): Row => ({
      name: `from ${JSON.stringify(src.slice(0, 60))}`,
      lies: icons([https, { src }]),
      over: ['http'],
      act: iconsOf,
      sees: { result: [[https]] },
      reported: /icons: Left out of "good"/,
    }),
  ),
  {
    name: 'too many of them',
    lies: icons(Array.from({ length: 1_000 }, () => https)),
    act: iconsOf,
    sees: { result: [Array.from({ length: 16 }, () => https)] },
    reported: /984 icons: they are too many/,
  },
  {
    name: 'of the server itself',
    lies: {
      initialize: (heard) =>
        heard.answer({
          protocolVersion: handshake,
          capabilities: { tools: {} },
          serverInfo: { name: 'liar', version: '1', icons: [{ src: 'javascript:alert(1)' }, https] },
        }),
    },
    revisions: [handshake],
    act: async ({ client }) => client.server?.icons,
    sees: { result: [https] },
    reported: /icons: Left out of "liar"/,
  },
]);

const marked = (mark: unknown, more: object = { type: 'string' }) => ({
  type: 'object',
  properties: { city: { ...more, 'x-mcp-header': mark } },
});
const twice = {
  type: 'object',
  properties: {
    a: { type: 'string', 'x-mcp-header': 'City' },
    b: { type: 'string', 'x-mcp-header': 'city' },
  },
};

table('tools whose headers make no sense', [
  ...(
    [
      ['a number', marked(7)],
      ['an empty name', marked('')],
      ['a name with a space', marked('a b')],
      ['a name with a line break', marked('a\r\nx-evil: 1')],
      ['a name in other letters', marked('städte')],
      ['on an object', marked('City', { type: 'object' })],
      ['on a list', marked('City', { type: 'array' })],
      ['one name twice', twice],
    ] as const
  ).map(
    ([name, inputSchema]): Row => ({
      name,
      lies: tools([tool('bad', { inputSchema }), tool('good')]),
      over: ['http'],
      revisions: [stateless],
      act: names,
      sees: { result: ['good'] },
      reported: /x-mcp-header: The tool "bad" is left out: .+/,
    }),
  ),
  {
    name: 'over stdio, where there are none',
    lies: tools([tool('bad', { inputSchema: marked(7) }), tool('good')]),
    over: ['stdio'],
    act: names,
    sees: { result: ['bad', 'good'] },
  },
]);
