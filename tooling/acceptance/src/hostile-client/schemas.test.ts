import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { final, type Lies, listed, tool } from './liar.js';
import { isLight } from './strain.js';
import { handshake, type Row, stateless, table } from './table.js';

let visits = 0;
const listener = createServer((socket) => {
  visits++;
  socket.destroy();
});
listener.listen(0, '127.0.0.1');
afterAll(() => void listener.close());
await once(listener, 'listening');
const elsewhere = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/schema`;

/** Lists a tool with this output schema, and calls it. */
function lies(outputSchema: unknown, structuredContent: unknown): Lies {
  return {
    'tools/list': (heard) => heard.answer(listed({ tools: [tool('bad', { outputSchema })] })),
    'tools/call bad': (heard) => heard.answer(final({ content: [], structuredContent })),
  };
}

const act: Row['act'] = async ({ client }) => {
  let call: Promise<unknown> = Promise.resolve();
  await isLight(
    async () => {
      await client.tools().all();
      call = client.callTool('bad');
      await call.catch(() => undefined);
    },
    { held: 260 },
  );
  return call;
};

const handedOut = (value: unknown): Row['sees'] => ({
  result: expect.objectContaining({ structuredContent: value }),
});
const object = (more: object) => ({ type: 'object', ...more });
const a = (length: number) => `${'a'.repeat(length)}!`;

/** A schema that cannot be used: the call rejects. */
const refused = (name: string, schema: object, value: unknown = {}): Row => ({
  name: `${name} is rejected, and with it the result`,
  lies: lies(object(schema), value),
  act,
  sees: {
    error: 'SessionError',
    why: 'invalid-answer',
    text: /"bad" cannot be checked by its output schema/,
  },
});
const accepted = (name: string, schema: object, value: unknown = {}): Row => ({
  name: `${name} is reported, and the result returned, where the application accepts it`,
  lies: lies(object(schema), value),
  over: ['http'],
  options: { unverifiedOutput: 'accept' },
  act,
  sees: handedOut(value),
  reported: /outputSchema: Results of the tool "bad" are not checked/,
});
const checked = (name: string, schema: unknown, value: unknown): Row => ({
  name: `${name} is checked all the same`,
  lies: lies(schema, value),
  act,
  sees: { error: 'SessionError', why: 'invalid-answer', text: /does not match its schema/ },
});
const passes = (name: string, schema: unknown, value: unknown): Row => ({
  name: `${name} fits`,
  lies: lies(schema, value),
  act,
  sees: handedOut(value),
});

function chain(depth: number): object {
  const defs: Record<string, object> = { d0: { type: 'string' } };
  for (let at = 1; at <= depth; at++) {
    const ref = { $ref: `#/$defs/d${at - 1}` };
    defs[`d${at}`] = { anyOf: [ref, ref] };
  }
  return object({ properties: { x: { $ref: `#/$defs/d${depth}` } }, $defs: defs });
}

function nested(depth: number): object {
  let schema: object = { type: 'string' };
  for (let at = 0; at < depth; at++) schema = { allOf: [schema] };
  return object({ properties: { x: schema } });
}

const each = (count: number, make: (index: number) => unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, make(index)]));
const wide = (count: number) => object({ properties: each(count, () => ({ type: 'string' })) });
const values = (count: number) => each(count, () => 'x');
const text = (pattern: string) => object({ properties: { x: { type: 'string', pattern } } });

const rows: Row[] = [
  refused('a remote $ref', { $ref: elsewhere }),
  accepted('a remote $ref', { $ref: elsewhere }),
  refused(
    'a remote $ref deep inside',
    object({ properties: { x: { items: { anyOf: [{ $ref: `${elsewhere}#/a` }] } } } }),
  ),
  refused(
    'a remote $ref by way of $id',
    object({ $id: elsewhere, properties: { x: { $ref: 'other.json' } } }),
  ),
  refused('a remote $dynamicRef', object({ properties: { x: { $dynamicRef: elsewhere } } })),
  refused('a $ref to a file', { $ref: 'file:///etc/passwd' }),
  refused('a $ref to nothing', { $ref: '#/$defs/none' }),
  refused('a dialect that is somewhere else', object({ $schema: elsewhere })),
  refused('a dialect nobody knows', object({ $schema: 'https://example.com/dialect' })),
  refused('a chain of anyOf, 24 deep', chain(24), { x: 1 }),
  accepted('a chain of anyOf, 24 deep', chain(24), { x: 1 }),
  refused('one with 20,000 properties', wide(20_000), values(20_000)),
  checked('one with 9,000 properties', wide(9_000), { ...values(9_000), p7: 1 }),
  passes('one with 9,000 properties', wide(9_000), values(9_000)),
  refused('^(a+)+$', text('^(a+)+$'), { x: a(50_000) }),
  refused('^(a|a)*$', text('^(a|a)*$'), { x: a(50_000) }),
  refused('(.*)*x', text('(.*)*x'), { x: a(50_000) }),
  refused('(a|b|ab)*c', text('(a|b|ab)*c'), { x: a(50_000) }),
  refused('^((a+)?b?)*$', text('^((a+)?b?)*$'), { x: a(50_000) }),
  {
    ...passes('a pattern that is not ECMAScript is reported, and what', text('('), { x: 'a' }),
    reported: /except for patterns/,
  },
  refused('one that refers to itself alone', { $ref: '#' }),
  refused('two that refer to each other', {
    $ref: '#/$defs/a',
    $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } },
  }),
  refused('allOf, 100 deep', nested(100), { x: 'y' }),
  refused(
    '100,000 values to choose from',
    object({ properties: { x: { enum: Array.from({ length: 100_000 }, (_, n) => n) } } }),
    { x: -1 },
  ),
  refused(
    'a list of 20,000 objects that should all differ',
    object({ properties: { x: { uniqueItems: true } } }),
    { x: Array.from({ length: 20_000 }, (_, n) => ({ n: { n } })) },
  ),
  refused(
    '300 patterns',
    object({ patternProperties: Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`^a${n}`, {}])) }),
  ),
  refused('a type nobody knows', { properties: { x: { type: 'banana' } } }, { x: 1 }),
  {
    ...refused('a remote $ref without a type, where it has to be one of an object,', {}),
    lies: lies({ $ref: elsewhere }, {}),
    revisions: [handshake],
    over: ['http'],
    reported: /has no "type"/,
  },
  ...[{ type: 'banana' }, { properties: 7 }, 'object', 7].map(
    (schema): Row => ({
      name: `${JSON.stringify(schema).slice(0, 20)} in place of a schema, where it has to be one of an object: the tool is left out`,
      lies: lies(schema, {}),
      revisions: [handshake],
      over: ['http'],
      act: ({ client }) => client.tools().all(),
      sees: { result: [] },
      reported: /Left out of tools: 1 of 1: "bad" \(.*outputSchema/,
    }),
  ),
  checked(
    'one with members named as those of objects',
    object({ properties: JSON.parse('{"__proto__":{"type":"string"}}') }),
    JSON.parse('{"__proto__":1}'),
  ),
  checked(
    'required members that every object inherits',
    object({ required: ['constructor', 'toString'] }),
    {},
  ),
];

// The transport does not matter for a schema.
table('schemas of output', [
  { ...refused('a remote $ref over stdio', { $ref: elsewhere }), over: ['stdio'] },
  ...rows.map((row): Row => ({ over: ['http'], revisions: [stateless], ...row })),
]);

describe('a $ref', () => {
  it('was never fetched', () => expect(visits).toBe(0));
});
