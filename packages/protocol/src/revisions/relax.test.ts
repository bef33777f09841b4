import { describe, expect, test } from 'vitest';
import { instances, type Mutant, mutants } from '../../test/instances.js';
import { type Published, published } from '../../test/published-schemas.js';
import { type Subject, subjectsOf } from '../../test/subjects.js';
import { decodeParams, decodeResult } from '../codec/codec.js';
import type { LeniencyName } from '../codec/relax.js';
import type { Revision } from '../codec/revision.js';
import type { UnknownObject } from '../json-rpc/json.js';
import { revisions } from './index.js';

/** The generated name of a member that the protocol does not define. */
const entry = /\.extra\d+$/;

/** Members that choose the variant of a field of a form: null chooses none. */
const variant = /requestedSchema\.properties\.\w+\.(enum|enumNames|oneOf)$/;

/** The reading of a message, by the change from a valid one. */
interface Case {
  readonly kind: 'absent' | 'object' | 'value' | 'entry';
  readonly at: string;
  readonly given: unknown;
  readonly read: unknown;
}

function byChange(all: readonly Mutant[], change: string): ReadonlyMap<string, unknown> {
  return new Map(all.filter((one) => one.change === change).map(({ path, value }) => [path, value]));
}

/** Messages that differ from valid ones in one null or one empty list. */
function* cases(schema: Published, { name, pointer }: Subject): Generator<Case> {
  const words = { resultType: name.endsWith(' input requests') ? 'input_required' : 'complete' };
  for (const whole of instances(schema, pointer, words)) {
    const all = [...mutants(whole)];
    const absent = byChange(all, 'left out');
    const objects = byChange(all, 'becomes {}');
    for (const [path, given] of byChange(all, 'becomes null')) {
      const without = absent.get(path);
      const at = `${name} ${path}`;
      if (variant.test(path)) yield { kind: 'absent', at, given, read: without };
      else if (schema.accepts(pointer, given)) yield { kind: 'value', at, given, read: given };
      else if (entry.test(path)) yield { kind: 'entry', at, given, read: given };
      else if (schema.accepts(pointer, without)) yield { kind: 'absent', at, given, read: without };
    }
    for (const [path, given] of byChange(all, 'becomes []')) {
      const at = `${name} ${path}`;
      if (schema.accepts(pointer, given)) yield { kind: 'value', at, given, read: given };
      else if (schema.accepts(pointer, objects.get(path)))
        yield { kind: 'object', at, given, read: objects.get(path) };
    }
  }
}

/** The value as it is read, or undefined if it is refused. */
function readBy({ check, relax }: Subject, value: unknown): unknown {
  if (check(value) === undefined) return value;
  const read = relax?.(value, () => undefined);
  return check(read) === undefined ? read : undefined;
}

describe.each(revisions)('$id', (revision) => {
  test('reads null in each optional member of each message as absent, and [] as {} where an object is due', () => {
    const schema = published(revision.id);
    const counts: Record<string, number> = {};
    const wrong: string[] = [];
    for (const subject of subjectsOf(revision, schema))
      for (const { kind, at, given, read } of cases(schema, subject)) {
        counts[kind] = (counts[kind] ?? 0) + 1;
        const found = readBy(subject, given);
        // The published schemas refuse null in settings, which schema.ts allows.
        if (kind === 'entry' && found === undefined) continue;
        if (JSON.stringify(found) !== JSON.stringify(read)) wrong.push(`${kind} ${at}`);
      }
    console.info(`${revision.id}: ${JSON.stringify(counts)}`);
    expect([...new Set(wrong)]).toEqual([]);
  }, 60_000);
});

const row = (revision: Revision, method: string) => {
  const found = revision.requests.client.get(method) ?? revision.inputRequests.get(method);
  if (found === undefined) throw new Error(`${method} has no row.`);
  return found;
};
const inputSchema = { type: 'object' };
const leniencies = (...all: LeniencyName[]) => all.map((leniency) => expect.objectContaining({ leniency }));

describe.each(revisions)('in $id', (revision) => {
  const read = (method: string, result: UnknownObject) =>
    decodeResult(revision, row(revision, method), result);

  test('reads members of other revisions that are null as absent', () => {
    const later = { title: null, annotations: null, outputSchema: null, icons: null, _meta: null };
    const tool = { name: 'a', description: '', inputSchema: { ...inputSchema, $schema: null } };
    expect(read('tools/list', { tools: [{ ...tool, ...later }], nextCursor: null, _meta: null })).toEqual({
      ok: true,
      value: { tools: [{ name: 'a', description: '', inputSchema }] },
      allowances: leniencies('null-member'),
    });
  });

  test('reads the members of other variants that are null as absent', () => {
    const contents = [
      { uri: 'a://b', text: 'x', blob: null },
      { uri: 'a://c', text: null, blob: 'eA==' },
    ];
    expect(read('resources/read', { contents })).toEqual({
      ok: true,
      value: {
        contents: [
          { uri: 'a://b', text: 'x' },
          { uri: 'a://c', blob: 'eA==' },
        ],
      },
      allowances: leniencies('null-member'),
    });
    const content = [{ type: 'text', text: 'x' }];
    expect(read('tools/call', { content, task: null, inputRequests: null, isError: null })).toMatchObject({
      ok: true,
      value: { content },
    });
  });

  test('reads empty properties of a schema and empty capabilities that PHP writes as lists', () => {
    const schema = { type: 'object', properties: [] };
    expect(read('tools/list', { tools: [{ name: 'a', inputSchema: schema }] })).toEqual({
      ok: true,
      value: { tools: [{ name: 'a', inputSchema: { type: 'object', properties: {} } }] },
      allowances: leniencies('empty-list'),
    });
  });

  test('leaves null alone in schemas, structured content, arguments and metadata', () => {
    const property = { type: ['string', 'null'], default: null, const: null, enum: [null], examples: [] };
    const schema = { type: 'object', properties: { a: property }, $defs: { b: { default: null } } };
    const tool = { name: 'a', title: null, inputSchema: schema, _meta: { 'x/y': null, z: [] } };
    const listed = read('tools/list', { tools: [tool], nextCursor: null });
    const { title: _, ...plain } = tool;
    expect(listed).toMatchObject({ ok: true, value: { tools: [plain] } });

    const structuredContent = { a: null, b: [], c: { d: null } };
    const called = read('tools/call', { content: [], structuredContent, isError: null, _meta: { x: null } });
    expect(called).toMatchObject({ ok: true, value: { content: [], structuredContent, _meta: { x: null } } });

    const given = { name: 'a', arguments: { a: null, b: [], c: { d: null } } };
    expect(decodeParams(row(revision, 'tools/call'), { ...given, _meta: null })).toMatchObject({
      ok: true,
      value: given,
    });
  });

  test('refuses null in required members, in lists, and in the arguments of prompts', () => {
    const problems: [string, UnknownObject, string][] = [
      ['tools/list', { tools: null }, 'result.tools: expected an array'],
      ['prompts/list', { prompts: [{ name: 'a', arguments: [null] }] }, ''],
      ['tools/call', { content: [null] }, 'result.content[0]: expected an object'],
      [
        'tools/call',
        { content: [{ type: 'text', text: null }] },
        'result.content[0].text: expected a string',
      ],
    ];
    for (const [method, result, problem] of problems) {
      const found = read(method, result);
      if (problem === '') expect(found).toMatchObject({ value: { prompts: [] } });
      else expect(found).toEqual({ ok: false, problem });
    }
    const params = { name: 'a', arguments: { b: null } };
    expect(decodeParams(row(revision, 'prompts/get'), params)).toEqual({
      ok: false,
      problem: 'params.arguments.b: expected a string',
    });
  });
});

test.each(revisions.filter(({ lifecycle }) => lifecycle === 'handshake'))(
  'reads null capabilities, titles and metadata of initialize in $id as absent',
  (revision) => {
    const initialize = row(revision, 'initialize');
    const ends = { protocolVersion: revision.id, capabilities: {} };
    const info = { name: 'x', version: '1' };
    const nulls = { ...info, title: null, description: null, websiteUrl: null, icons: null };
    const sent = { protocolVersion: revision.id, capabilities: null, _meta: null };
    expect(decodeParams(initialize, { ...sent, clientInfo: nulls })).toMatchObject({
      value: { ...ends, clientInfo: info },
    });
    const answered = { ...sent, capabilities: [], serverInfo: nulls, instructions: null };
    expect(decodeResult(revision, initialize, answered)).toEqual({
      ok: true,
      value: { ...ends, serverInfo: info },
      allowances: leniencies('empty-list', 'null-member'),
    });
  },
);

describe.each(revisions.filter((revision) => revision.inputRequests.has('elicitation/create')))(
  'a form in $id',
  (revision) => {
    const form = row(revision, 'elicitation/create');

    test('may have null for its optional members', () => {
      const field = { type: 'string', title: null, description: null, minLength: null, format: null };
      const requestedSchema = { type: 'object', properties: { a: field }, required: null };
      expect(decodeParams(form, { message: 'x', requestedSchema, mode: null, task: null })).toMatchObject({
        ok: true,
        value: {
          message: 'x',
          requestedSchema: { type: 'object', properties: { a: { type: 'string' } } },
        },
      });
    });

    test('is answered without content where it is null, and with a problem where a value is null', () => {
      expect(decodeResult(revision, form, { action: 'decline', content: null })).toMatchObject({
        value: { action: 'decline' },
      });
      expect(decodeResult(revision, form, { action: 'accept', content: { a: null } })).toMatchObject({
        ok: false,
        problem: expect.stringContaining('result.content.a: '),
      });
    });
  },
);
