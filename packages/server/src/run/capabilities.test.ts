import { systemClock } from '@tenon/foundation';
import { type ClientCapabilities, type InputRequest, type Revision, revisions } from '@tenon/mcp-protocol';
import {
  type Conversation,
  defaultLimits,
  IncomingRequest,
  MissingCapabilityError,
} from '@tenon/mcp-session';
import { expect, test } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { type InputType, inputTypeOf, obstacle } from './capabilities.js';

const can = (request: IncomingRequest, what: InputType) => obstacle(request, what) === undefined;

function requireCapability(request: IncomingRequest, what: InputType): void {
  const error = obstacle(request, what);
  if (error !== undefined) throw error;
}

const kinds: readonly InputType[] = ['elicit', 'elicit-url', 'sample', 'sample-tools', 'roots'];
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

const matrix: readonly [ClientCapabilities, Readonly<Record<string, readonly InputType[]>>, ...string[]][] = [
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
    '2026-07-28/client/elicitation/empty-capability-form',
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
    '2026-07-28/client/elicitation/modes-respected',
  ],
  [
    { sampling: {}, roots: { listChanged: true } },
    Object.fromEntries(revisions.map(({ id }) => [id, ['sample', 'roots']])),
    '2026-07-28/client/sampling/tools-not-sent',
  ],
  [{}, Object.fromEntries(revisions.map(({ id }) => [id, []]))],
];

test.each(matrix)('a client that declares %j can be asked for', (declared, expected, ...ids) => {
  shows(...ids);
  expect(
    Object.fromEntries(revisions.map((revision) => [revision.id, able(calling(revision, declared))])),
  ).toEqual(Object.fromEntries(Object.entries(expected)));
});

test.each(revisions)(
  '$id: what was not declared, or cannot be, is refused with the capability that is missing',
  (revision) => {
    showsBy(revision.id, {
      '2024-11-05': '2024-11-05/architecture/respect-capabilities',
      '2025-03-26': '2025-03-26/lifecycle/respected',
      '2026-07-28': [
        '2026-07-28/basic/index/undeclared-not-relied-on',
        '2026-07-28/basic/patterns/mrtr/declared-only',
      ],
    });
    const request = calling(revision, {});
    for (const kind of kinds) {
      expect(() => requireCapability(request, kind)).toThrow(MissingCapabilityError);
    }
    expect(() => requireCapability(calling(revision, everything), 'sample')).not.toThrow();
  },
);

test.each<[InputType, ClientCapabilities, ...string[]]>([
  ['elicit', { elicitation: { form: {} } }],
  ['elicit-url', { elicitation: { url: {} } }, '2026-07-28/client/elicitation/modes-respected'],
  ['sample', { sampling: {} }],
  ['sample-tools', { sampling: { tools: {} } }, '2026-07-28/client/sampling/tools-not-sent'],
  ['roots', { roots: {} }],
])('%s names %j', (kind, required, ...ids) => {
  shows(...ids);
  const newest = revisions[0]!;
  try {
    requireCapability(calling(newest, {}), kind);
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({ required, reason: 'capability-missing' });
  }
});

test('rejects live input requests without a session', () => {
  for (const revision of revisions.filter(({ rules }) => rules.inputRequestMode === 'request')) {
    expect(able(calling(revision, everything, { alone: true }))).toEqual([]);
  }
});

test('allows input requests in a result only for calls with such results', () => {
  shows('2026-07-28/basic/patterns/mrtr/other-requests');
  for (const revision of revisions.filter(({ rules }) => rules.inputRequestMode === 'in-result')) {
    for (const method of ['tools/call', 'prompts/get', 'resources/read']) {
      expect(able(calling(revision, everything, { method }))).toEqual(kinds);
    }
    for (const method of ['tools/list', 'completion/complete', 'server/discover', 'nonsense']) {
      expect(able(calling(revision, everything, { method }))).toEqual([]);
    }
  }
});

test.each<[InputRequest, InputType]>([
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
  expect(inputTypeOf(request)).toBe(kind);
});
