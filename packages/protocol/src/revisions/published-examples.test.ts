import { describe, expect, test } from 'vitest';
import { readFixture } from '../../test/published-schemas.js';
import { describeProblem, type Problem } from '../json-rpc/check.js';
import { ErrorCode } from '../json-rpc/errors.js';
import { isObject, type UnknownObject } from '../json-rpc/json.js';
import { revision20260728 as revision } from './index.js';

const examples = readFixture('examples') as Readonly<Record<string, readonly UnknownObject[]>>;

type Read = (example: UnknownObject) => Problem | undefined;

function row(method: string) {
  const found = revision.requests.client.get(method) ?? revision.inputRequests.get(method);
  if (found === undefined) throw new Error(`${method} has no row.`);
  return found;
}

function params(method: string): Read {
  const { stamp } = revision.codec;
  const asked = revision.inputRequests.has(method);
  return (value) => (asked ? undefined : stamp(value)) ?? row(method).params(value);
}

function within(read: Read, wrap: (example: UnknownObject) => UnknownObject): Read {
  return (example) => read(wrap(example));
}

const result =
  (method: string): Read =>
  (value) =>
    row(method).result(value);

function request(example: UnknownObject): Problem | undefined {
  return params(String(example.method))(isObject(example.params) ? example.params : {});
}

function notification(example: UnknownObject): Problem | undefined {
  const { client, server } = revision.notifications;
  const found = server.get(String(example.method)) ?? client.get(String(example.method));
  return found === undefined ? { path: 'method', message: 'has no row' } : found.params(example.params ?? {});
}

const notice =
  (method: string): Read =>
  (value) =>
    notification({ method, params: value });

const error: Read = (example) => {
  const { code } = isObject(example.error) ? example.error : example;
  const known: readonly unknown[] = Object.values(ErrorCode);
  return known.includes(code) ? undefined : { path: 'code', message: 'is not a known code' };
};

const complete = { resultType: 'complete' };
const content = within(result('tools/call'), (block) => ({ ...complete, content: [block] }));
const contents = within(result('resources/read'), (item) => ({ ...complete, contents: [item] }));
const sampled = within(params('sampling/createMessage'), (message) => ({
  messages: [message],
  maxTokens: 1,
}));
const field = within(params('elicitation/create'), (schema) => ({
  message: '',
  requestedSchema: { type: 'object', properties: { field: schema } },
}));

const methods = {
  CallTool: 'tools/call',
  Complete: 'completion/complete',
  CreateMessage: 'sampling/createMessage',
  Discover: 'server/discover',
  Elicit: 'elicitation/create',
  GetPrompt: 'prompts/get',
  ListPrompts: 'prompts/list',
  ListResources: 'resources/list',
  ListResourceTemplates: 'resources/templates/list',
  ListRoots: 'roots/list',
  ListTools: 'tools/list',
  ReadResource: 'resources/read',
  SubscriptionsListen: 'subscriptions/listen',
} as const;

const readers = new Map<string, Read>([
  ...Object.entries(methods).flatMap(([name, method]): [string, Read][] => [
    [`${name}Request`, request],
    [`${name}RequestParams`, params(method)],
    [`${name}Result`, result(method)],
    [`${name}ResultResponse`, (example) => row(method).result(example.result)],
  ]),
  ['ElicitRequestFormParams', params('elicitation/create')],
  ['ElicitRequestURLParams', params('elicitation/create')],
  ['PaginatedRequestParams', params('tools/list')],
  ['InputRequiredResult', result('tools/call')],
  [
    'InputRequests',
    within(result('prompts/get'), (inputRequests) => ({ resultType: 'input_required', inputRequests })),
  ],
  ['InputResponses', (inputResponses) => row('resources/read').params({ uri: 'file:///a', inputResponses })],
  ['CancelledNotificationParams', notice('notifications/cancelled')],
  ['LoggingMessageNotificationParams', notice('notifications/message')],
  ['ProgressNotificationParams', notice('notifications/progress')],
  ['ResourceUpdatedNotificationParams', notice('notifications/resources/updated')],
  ...['Cancelled', 'LoggingMessage', 'Progress', 'PromptListChanged', 'ResourceListChanged'].map(
    (name): [string, Read] => [`${name}Notification`, notification],
  ),
  ...['ResourceUpdated', 'SubscriptionsAcknowledged', 'ToolListChanged'].map((name): [string, Read] => [
    `${name}Notification`,
    notification,
  ]),
  ...['TextContent', 'ImageContent', 'AudioContent', 'EmbeddedResource', 'ResourceLink'].map(
    (name): [string, Read] => [name, content],
  ),
  ['BlobResourceContents', contents],
  ['TextResourceContents', contents],
  ['SamplingMessage', sampled],
  ['ToolUseContent', within(sampled, (block) => ({ role: 'assistant', content: block }))],
  ['ToolResultContent', within(sampled, (block) => ({ role: 'user', content: [block] }))],
  [
    'ModelPreferences',
    within(params('sampling/createMessage'), (modelPreferences) => ({
      messages: [],
      maxTokens: 1,
      modelPreferences,
    })),
  ],
  ['Tool', within(result('tools/list'), (tool) => ({ ...complete, tools: [tool] }))],
  ['Resource', within(result('resources/list'), (resource) => ({ ...complete, resources: [resource] }))],
  ['Root', within(result('roots/list'), (root) => ({ roots: [root] }))],
  [
    'ClientCapabilities',
    (capabilities) =>
      revision.codec.stamp({
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': capabilities,
        },
      }),
  ],
  [
    'ServerCapabilities',
    within(result('server/discover'), (capabilities) => ({
      ...complete,
      capabilities,
      supportedVersions: [],
    })),
  ],
  ...['StringSchema', 'NumberSchema', 'BooleanSchema'].map((name): [string, Read] => [name, field]),
  ...['TitledMultiSelectEnumSchema', 'TitledSingleSelectEnumSchema'].map((name): [string, Read] => [
    name,
    field,
  ]),
  ...['UntitledMultiSelectEnumSchema', 'UntitledSingleSelectEnumSchema'].map((name): [string, Read] => [
    name,
    field,
  ]),
  ...['HeaderMismatch', 'Internal', 'InvalidParams', 'MethodNotFound', 'Parse'].map(
    (name): [string, Read] => [`${name}Error`, error],
  ),
  ['MissingRequiredClientCapabilityError', error],
  ['UnsupportedProtocolVersionError', error],
]);

describe('examples published with 2026-07-28', () => {
  const folders = Object.keys(examples);
  const all = folders.flatMap((folder) =>
    (examples[folder] ?? []).map((example, index) => ({ folder, index, example })),
  );

  test('all have a check', () => {
    expect(folders.filter((folder) => !readers.has(folder))).toEqual([]);
    expect(all.length).toBeGreaterThanOrEqual(120);
  });

  test.each(all)('$folder $index is accepted', ({ folder, example }) => {
    const problem = readers.get(folder)?.(example);
    expect(problem === undefined ? 'accepted' : describeProblem(problem, folder)).toBe('accepted');
  });
});
