import { type ClientCapabilities, type InputRequest, type Revision, revisions } from '@tenon/mcp-protocol';
import {
  type Conversation,
  defaultLimits,
  IncomingRequest,
  MissingCapabilityError,
  systemClock,
} from '@tenon/mcp-session';
import { expect, test } from 'vitest';
import { type Asking, kindOf, obstacle } from './capabilities.js';

const can = (request: IncomingRequest, what: Asking) => obstacle(request, what) === undefined;

function requireCapability(request: IncomingRequest, what: Asking): void {
  const error = obstacle(request, what);
  if (error !== undefined) throw error;
}

const kinds: readonly Asking[] = ['elicit', 'elicit-url', 'sample', 'sample-tools', 'roots'];
const conversation: Conversation = { request: () => Promise.reject(new Error('not here')) };

function calling(
  revision: Revision,
  clientCapabilities: ClientCapabilities,
  more: { method?: string; alone?: true } = {},
) {
  const call = {
    id: 1,
    method: more.method ?? 'tools/call',
    params: {},
    revision,
    from: { clientCapabilities },
  };
  const talk = revision.lifecycle === 'handshake' && more.alone !== true ? conversation : undefined;
  const host = { side: 'server', clock: systemClock, limits: defaultLimits, conversation: talk } as const;
  return new IncomingRequest(call, { facts: {}, send: () => undefined }, host);
}

const able = (request: IncomingRequest) => kinds.filter((kind) => can(request, kind));
const everything: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: {},
};

const matrix: readonly [ClientCapabilities, Readonly<Record<string, readonly Asking[]>>][] = [
  [
    everything,
    {
      '2024-11-05': ['sample', 'roots'],
      '2025-03-26': ['sample', 'roots'],
      '2025-06-18': ['elicit', 'sample', 'roots'],
      '2025-11-25': [...kinds],
      '2026-07-28': [...kinds],
    },
  ],
  [
    { elicitation: {} },
    {
      '2024-11-05': [],
      '2025-03-26': [],
      '2025-06-18': ['elicit'],
      '2025-11-25': ['elicit'],
      '2026-07-28': ['elicit'],
    },
  ],
  [
    { elicitation: { url: {} } },
    {
      '2024-11-05': [],
      '2025-03-26': [],
      '2025-06-18': ['elicit'],
      '2025-11-25': ['elicit-url'],
      '2026-07-28': ['elicit-url'],
    },
  ],
  [
    { sampling: {}, roots: { listChanged: true } },
    Object.fromEntries(revisions.map(({ id }) => [id, ['sample', 'roots']])),
  ],
  [{}, Object.fromEntries(revisions.map(({ id }) => [id, []]))],
];

test.each(matrix)('a client that declares %j can be asked for', (declared, expected) => {
  expect(
    Object.fromEntries(revisions.map((revision) => [revision.id, able(calling(revision, declared))])),
  ).toEqual(Object.fromEntries(Object.entries(expected)));
});

test.each(revisions)(
  '$id: what was not declared, or cannot be, is refused with the capability that is missing',
  (revision) => {
    const request = calling(revision, {});
    for (const kind of kinds) {
      expect(() => requireCapability(request, kind)).toThrow(MissingCapabilityError);
    }
    expect(() => requireCapability(calling(revision, everything), 'sample')).not.toThrow();
  },
);

test.each<[Asking, ClientCapabilities]>([
  ['elicit', { elicitation: { form: {} } }],
  ['elicit-url', { elicitation: { url: {} } }],
  ['sample', { sampling: {} }],
  ['sample-tools', { sampling: { tools: {} } }],
  ['roots', { roots: {} }],
])('%s names %j', (kind, required) => {
  const newest = revisions[0]!;
  try {
    requireCapability(calling(newest, {}), kind);
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({ required, reason: 'capability-missing' });
  }
});

test('without a conversation there are no live questions', () => {
  for (const revision of revisions.filter(({ rules }) => rules.serverAsks === 'request')) {
    expect(able(calling(revision, everything, { alone: true }))).toEqual([]);
  }
});

test('only calls that may end with a question can ask in a result', () => {
  for (const revision of revisions.filter(({ rules }) => rules.serverAsks === 'in-result')) {
    for (const method of ['tools/call', 'prompts/get', 'resources/read']) {
      expect(able(calling(revision, everything, { method }))).toEqual(kinds);
    }
    for (const method of ['tools/list', 'completion/complete', 'server/discover', 'nonsense']) {
      expect(able(calling(revision, everything, { method }))).toEqual([]);
    }
  }
});

test.each<[InputRequest, Asking]>([
  [
    {
      method: 'elicitation/create',
      params: { message: '', requestedSchema: { type: 'object', properties: {} } },
    },
    'elicit',
  ],
  [
    { method: 'elicitation/create', params: { mode: 'url', message: '', url: 'https://x.example' } },
    'elicit-url',
  ],
  [{ method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } }, 'sample'],
  [{ method: 'sampling/createMessage', params: { messages: [], maxTokens: 1, tools: [] } }, 'sample-tools'],
  [
    { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1, toolChoice: {} } },
    'sample-tools',
  ],
  [{ method: 'roots/list' }, 'roots'],
])('%j is of a kind', (request, kind) => {
  expect(kindOf(request)).toBe(kind);
});
