import { describe, expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { decodeParams, decodeResult } from '../codec/codec.js';
import type { RequestRow, Revision } from '../codec/revision.js';
import type { UnknownObject } from '../json-rpc/json.js';
import {
  findRevision,
  latest,
  revision20241105,
  revision20250326,
  revision20250618,
  revision20251125,
  revision20260728,
} from './index.js';

function row(revision: Revision, method: string): RequestRow {
  const found = revision.requests.client.get(method) ?? revision.inputRequests.get(method);
  if (found === undefined) throw new Error(`${method} has no row.`);
  return found;
}

function result(revision: Revision, method: string, value: UnknownObject): UnknownObject {
  return row(revision, method).encodeResult?.(value) ?? value;
}

function params(revision: Revision, method: string, value: UnknownObject): UnknownObject {
  return row(revision, method).encodeParams?.(value) ?? value;
}

describe('content an older revision lacks', () => {
  const link = {
    type: 'resource_link',
    uri: 'file:///a',
    name: 'a.txt',
    annotations: { priority: 1, lastModified: 'x' },
  };
  const sound = { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' };

  test('a resource link becomes text that names it', () => {
    shows('2025-03-26/tools/content-kinds');
    const text = { type: 'text', text: 'Resource: a.txt (file:///a)', annotations: { priority: 1 } };
    for (const revision of [revision20241105, revision20250326]) {
      expect(result(revision, 'tools/call', { content: [link] })).toEqual({
        content: [text],
        isError: false,
      });
    }
    const message = { role: 'user', content: link };
    expect(result(revision20241105, 'prompts/get', { messages: [message] })).toEqual({
      messages: [{ role: 'user', content: text }],
    });
    expect(result(revision20250618, 'tools/call', { content: [link], isError: false }).content).toEqual([
      link,
    ]);
  });

  test('audio becomes a text note in 2024-11-05 alone', () => {
    expect(result(revision20241105, 'tools/call', { content: [sound] }).content).toEqual([
      { type: 'text', text: '[audio: audio/wav]' },
    ]);
    expect(result(revision20250326, 'tools/call', { content: [sound] }).content).toEqual([sound]);
  });

  test('converts content of an unknown type to a note', () => {
    expect(result(revision20241105, 'tools/call', { content: [{ type: 'smell' }] }).content).toEqual([
      { type: 'text', text: '[smell]' },
    ]);
  });
});

describe('structured output', () => {
  const tool = (outputSchema: object) => ({
    tools: [{ name: 'a', inputSchema: { type: 'object' }, outputSchema }],
  });

  test('that is not an object stays out of 2025, with its schema', () => {
    for (const revision of [revision20250618, revision20251125]) {
      const written = result(revision, 'tools/call', { content: [], structuredContent: [1], isError: false });
      expect(written).toEqual({ content: [], isError: false });
      expect(result(revision, 'tools/list', tool({ type: 'array' })).tools).toEqual([
        { name: 'a', inputSchema: { type: 'object' } },
      ]);
      expect(result(revision, 'tools/list', tool({ type: 'object' }))).toEqual(tool({ type: 'object' }));
    }
    expect(result(latest, 'tools/call', { content: [], structuredContent: [1] }).structuredContent).toEqual([
      1,
    ]);
  });
});

describe('tools', () => {
  test('always have a description in the revisions that require one', () => {
    shows('2025-03-26/tools/members');
    const bare = { tools: [{ name: 'a', inputSchema: { type: 'object' } }] };
    for (const revision of [revision20241105, revision20250326]) {
      expect(result(revision, 'tools/list', bare)).toEqual({
        tools: [{ ...bare.tools[0], description: '' }],
      });
    }
    expect(result(revision20250618, 'tools/list', bare)).toBe(bare);
  });

  test('have object property schemas before 2026-07-28', () => {
    const tools = [
      { name: 'a', inputSchema: { type: 'object', properties: { any: true, none: false, a: {} } } },
    ];
    expect(result(revision20251125, 'tools/list', { tools }).tools).toEqual([
      { name: 'a', inputSchema: { type: 'object', properties: { any: {}, none: { not: {} }, a: {} } } },
    ]);
    expect(result(revision20260728, 'tools/list', { tools, ttlMs: 0, cacheScope: 'private' }).tools).toBe(
      tools,
    );
  });

  test('results that no revision defines more of keep what is theirs', () => {
    shows('2026-07-28/basic/index/result-any-object');
    expect(
      result(revision20241105, 'tools/call', { content: [], isError: true, vendor: { type: 'x' } }),
    ).toEqual({
      content: [],
      isError: true,
      vendor: { type: 'x' },
    });
  });
});

describe('capabilities', () => {
  const hello = (capabilities: object) => ({
    protocolVersion: 'x',
    clientInfo: { name: 'a', version: '1' },
    capabilities,
  });

  test('eliciting by page alone is not an elicitation in 2025-06-18', () => {
    const only = hello({ elicitation: { url: {} } });
    expect(params(revision20250618, 'initialize', only).capabilities).toEqual({});
    expect(params(revision20250618, 'initialize', hello({ elicitation: {} })).capabilities).toEqual({
      elicitation: {},
    });
    expect(params(revision20251125, 'initialize', only)).toBe(only);
  });
});

describe('sampling before 2025-11-25', () => {
  const text = (words: string) => ({ type: 'text', text: words });

  test('takes a list of one for its member and a longer one for as many messages', () => {
    const messages = [
      { role: 'user', content: [text('a')] },
      { role: 'user', content: [text('b'), text('c')] },
      { role: 'assistant', content: { type: 'tool_use', id: '1', name: 'add', input: { a: 1 } } },
      { role: 'user', content: [{ type: 'tool_result', toolUseId: '1', content: [text('2')] }] },
    ];
    const written = params(revision20250618, 'sampling/createMessage', {
      messages,
      maxTokens: 1,
      tools: [],
      toolChoice: {},
    });
    expect(written).toEqual({
      messages: [
        { role: 'user', content: text('a') },
        { role: 'user', content: text('b') },
        { role: 'user', content: text('c') },
        { role: 'assistant', content: text('Tool use: add {"a":1}') },
        { role: 'user', content: text('Tool result: 2') },
      ],
      maxTokens: 1,
    });
    expect(messages).toHaveLength(4);
  });

  test('answers with one block', () => {
    const answer = (content: unknown) => ({ role: 'assistant', model: 'm', content });
    expect(result(revision20241105, 'sampling/createMessage', answer([text('a')])).content).toEqual(
      text('a'),
    );
    expect(
      result(revision20241105, 'sampling/createMessage', answer([text('a'), text('b')])).content,
    ).toEqual(text('a\nb'));
  });

  test('always says why it stopped in 2025-03-26', () => {
    shows('2025-03-26/sampling/answer-members');
    const answer = { role: 'assistant', model: 'm', content: text('a') };
    expect(result(revision20250326, 'sampling/createMessage', answer)).toEqual({
      ...answer,
      stopReason: 'endTurn',
    });
    expect(result(revision20250618, 'sampling/createMessage', answer)).toBe(answer);
  });
});

describe('forms in 2025-06-18', () => {
  test('list titled choices twice, and lose defaults and fields of several choices', () => {
    const form = {
      message: 'Please',
      requestedSchema: {
        $schema: 'x',
        type: 'object',
        properties: {
          one: { type: 'string', oneOf: [{ const: 'a', title: 'A' }], default: 'a' },
          many: { type: 'array', items: { type: 'string', enum: ['a'] } },
          yes: { type: 'boolean', default: true },
        },
        required: ['one', 'many'],
      },
    };
    expect(params(revision20250618, 'elicitation/create', form)).toEqual({
      message: 'Please',
      requestedSchema: {
        type: 'object',
        properties: {
          one: { type: 'string', enum: ['a'], enumNames: ['A'] },
          yes: { type: 'boolean', default: true },
        },
        required: ['one'],
      },
    });
    expect(params(revision20251125, 'elicitation/create', form)).toBe(form);
  });
});

describe('problems', () => {
  test.each([
    ['tools/call', { name: 'a', arguments: [1] }, 'params.arguments: expected an object'],
    ['tools/call', {}, 'params.name: is required', '2026-07-28/server/tools/protocol-errors'],
    [
      'prompts/get',
      { name: 'a', arguments: { city: 1 } },
      'params.arguments.city: expected a string',
      '2026-07-28/server/prompts/validate-arguments',
    ],
    [
      'completion/complete',
      { ref: { type: 'x' }, argument: {} },
      'params.ref.type: expected one of "ref/prompt", "ref/resource"',
      '2024-11-05/server/utilities/completion/inputs-validated',
      '2026-07-28/server/utilities/completion/error-arguments',
      '2026-07-28/server/utilities/completion/validate-inputs',
    ],
  ])('of %s params name their place: %j', (...[method, value, problem, ...ids]) => {
    shows(...ids);
    expect(decodeParams(row(latest, method), value)).toEqual({ ok: false, problem });
  });

  test.each([
    [{ content: [{ type: 'text' }] }, 'result.content[0].text: is required'],
    [
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'image', data: '', mimeType: 1 },
        ],
      },
      'result.content[1].mimeType: expected a string',
    ],
    [
      { content: [{ type: 'resource', resource: { uri: 'a', blob: 1 } }] },
      'result.content[0].resource.blob: expected a string',
    ],
    [
      { content: [{ type: 'smell' }] },
      'result.content[0].type: expected one of "text", "image", "audio", "resource", "resource_link"',
    ],
  ])('of tools/call results name their place: %j', (value, problem) => {
    expect(decodeResult(latest, row(latest, 'tools/call'), value)).toEqual({ ok: false, problem });
  });
});

test('a revision is found by its date alone', () => {
  expect(findRevision('2025-06-18')).toBe(revision20250618);
  expect(findRevision('2025-06-19')).toBeUndefined();
  expect(findRevision('constructor')).toBeUndefined();
});
