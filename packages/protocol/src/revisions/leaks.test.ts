import { describe, expect, test } from 'vitest';
import { leaks, paths, type Shape } from '../../test/closed-shapes.js';
import { published } from '../../test/published-schemas.js';
import { handshakeShapes } from '../../test/revision-shapes.js';
import {
  clientCapabilities,
  implementation,
  inputRequired,
  notices,
  requests,
  urlElicitation,
} from '../../test/rich-messages.js';
import { statelessShapes } from '../../test/stateless-shapes.js';
import { encodeParams, encodeResult } from '../codec/codec.js';
import type { Revision } from '../codec/revision.js';
import { isObject, type UnknownObject } from '../json-rpc/json.js';
import { revisions } from './index.js';

interface Wire {
  /** Method and part. */
  readonly name: string;
  readonly method: string;
  readonly part: 'params' | 'result' | 'input requests' | 'url';
  readonly value: unknown;
}

const free = new Set([
  '_meta',
  'inputSchema',
  'outputSchema',
  'structuredContent',
  'experimental',
  'extensions',
  'arguments',
  'inputResponses',
]);
const telling = ['name', 'uri', 'type', 'src', 'role', 'audience', 'values', 'taskSupport', 'readOnlyHint'];

/** The value with a member of no revision in every object of the protocol but the outermost. */
function sprinkled(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return value.map((item) => sprinkled(item, depth + 1));
  if (!isObject(value)) return value;
  const inner = Object.entries(value).map(([key, member]) => [
    key,
    free.has(key) ? member : sprinkled(member, depth + 1),
  ]);
  const extra = depth > 0 && telling.some((key) => Object.hasOwn(value, key)) ? { 'x-leak': 1 } : {};
  return { ...Object.fromEntries(inner), ...extra };
}

function rich(value: object): UnknownObject {
  return { ...(sprinkled(value) as UnknownObject), 'x-vendor': 1 };
}

const stamp = { clientCapabilities, clientInfo: implementation };

/** Everything the revision can send, as it stands on the wire. */
function wires(revision: Revision): readonly Wire[] {
  const made: Wire[] = [];
  const signed = (result: UnknownObject) => JSON.parse(revision.codec.resultText(result, implementation));
  const add = (method: string, part: Wire['part'], value: unknown): void => {
    made.push({ name: `${method} ${part}`, method, part, value: JSON.parse(JSON.stringify(value)) });
  };
  for (const [method, { params, result }] of Object.entries(requests)) {
    const row = revision.requests.client.get(method) ?? revision.inputRequests.get(method);
    if (row === undefined) continue;
    const asked = revision.inputRequests.has(method);
    const bare = encodeParams(row, rich(params));
    add(method, 'params', asked ? bare : revision.codec.stampRequest(bare, stamp));
    const answer = encodeResult(row, rich(result));
    add(method, 'result', asked ? answer : signed(answer));
    if (row.mayRequestInput) add(method, 'input requests', signed(encodeResult(row, rich(inputRequired))));
    if (method === 'elicitation/create' && revision.rules.inputFeatures.url)
      add(method, 'url', encodeParams(row, rich(urlElicitation)));
  }
  for (const [method, params] of Object.entries(notices)) {
    const row = revision.notifications.client.get(method) ?? revision.notifications.server.get(method);
    if (row !== undefined) add(method, 'params', encodeParams(row, rich(params)));
  }
  return made;
}

function shapesOf({ id }: Revision): { readonly [message: string]: Shape } {
  return handshakeShapes[id] ?? statelessShapes;
}

describe.each(revisions)('what $id writes', (revision) => {
  const shapes = shapesOf(revision);
  const sent = wires(revision);

  test('is every message that has a shape, and no other', () => {
    expect(sent.map(({ name }) => name).sort()).toEqual(Object.keys(shapes).sort());
  });

  test.each(sent)('$name holds all that the revision defines and nothing else', ({ name, value }) => {
    const shape = shapes[name];
    if (shape === undefined) throw new Error('There is no shape.');
    const met = new Set<string>();
    expect(leaks(value, shape, { path: '', met })).toEqual([]);
    expect(paths(shape, '').filter((path) => !met.has(path))).toEqual([]);
  });

  test('is valid by the published schema', () => {
    const schema = published(revision.id);
    const unions = [
      'ClientRequest',
      'ServerRequest',
      'InputRequest',
      'ClientNotification',
      'ServerNotification',
    ];
    const messages = unions.flatMap((union) => schema.messages(union));
    const wrong = sent.flatMap(({ name, method, part, value }) => {
      const message = messages.find((candidate) => candidate.method === method);
      const ends = { params: message?.params, url: message?.params, result: message?.result };
      const pointer = part === 'input requests' ? `${schema.prefix}InputRequiredResult` : ends[part];
      if (pointer === undefined || schema.accepts(pointer, value)) return [];
      return [`${name}: ${schema.why(pointer)}`];
    });
    expect(wrong).toEqual([]);
  });
});
