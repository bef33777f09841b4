// Support for the tests beside it: the fullest neutral messages there can be. The suffix keeps it out of the package.
import type { Annotations, Icon, Implementation } from '../src/model/annotations.js';
import type { ClientCapabilities, ServerCapabilities } from '../src/model/capabilities.js';
import type { ContentBlock } from '../src/model/content.js';
import type { ElicitParams, ElicitResult, FormField } from '../src/model/elicitation.js';
import type { InputRequiredResult } from '../src/model/input.js';
import type { CacheHints, InputAnswers } from '../src/model/message-members.js';
import type {
  NotificationMethod,
  NotificationTypes,
  ParamsOf,
  RequestMethod,
  ResultOf,
} from '../src/model/methods.js';
import type { Resource, ResourceTemplate } from '../src/model/resources.js';
import type { CreateMessageParams, CreateMessageResult } from '../src/model/sampling.js';
import type { Tool } from '../src/model/tools.js';

const _meta = { 'com.example/note': 1 };
const annotations: Annotations = { audience: ['user'], priority: 0.5, lastModified: '2025-01-01T00:00:00Z' };
const icons: readonly Icon[] = [{ src: 'data:,', mimeType: 'image/png', sizes: ['any'], theme: 'dark' }];
const names = { name: 'name', title: 'Title', description: 'What it is', icons, _meta };

export const implementation: Implementation = {
  name: 'name',
  title: 'Title',
  version: '1',
  description: 'What it is',
  websiteUrl: 'https://example.com',
  icons,
};

export const clientCapabilities: ClientCapabilities = {
  experimental: { a: { b: 1 } },
  extensions: { 'com.example/ext': {} },
  roots: { listChanged: true },
  sampling: { context: {}, tools: {} },
  elicitation: { form: {}, url: {} },
  tasks: {
    list: {},
    cancel: {},
    requests: { sampling: { createMessage: {} }, elicitation: { create: {} } },
  },
};

const serverCapabilities: ServerCapabilities = {
  experimental: { a: { b: 1 } },
  extensions: { 'com.example/ext': {} },
  logging: {},
  completions: {},
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  tools: { listChanged: true },
  tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
};

const objectSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { a: { type: 'string' }, b: true, c: false },
  required: ['a'],
};

const tool: Tool = {
  ...names,
  inputSchema: objectSchema,
  outputSchema: objectSchema,
  annotations: {
    title: 'Title',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  execution: { taskSupport: 'optional' },
};

/** A tool with an output that is not an object. */
const listingTool: Tool = {
  name: 'listing',
  inputSchema: { type: 'object' },
  outputSchema: { type: 'array' },
};

const resource: Resource = { ...names, uri: 'file:///a', mimeType: 'text/plain', size: 1, annotations };

const resourceTemplate: ResourceTemplate = {
  ...names,
  uriTemplate: 'file:///{a}',
  mimeType: 'text/plain',
  annotations,
};

const textContents = { uri: 'file:///a', mimeType: 'text/plain', text: 'text', _meta };
const blobContents = { uri: 'file:///b', mimeType: 'image/png', blob: 'AAAA', _meta };

const blocks: readonly ContentBlock[] = [
  { type: 'text', text: 'text', annotations, _meta },
  { type: 'image', data: 'AAAA', mimeType: 'image/png', annotations, _meta },
  { type: 'audio', data: 'AAAA', mimeType: 'audio/wav', annotations, _meta },
  { type: 'resource', resource: textContents, annotations, _meta },
  { type: 'resource', resource: blobContents, annotations, _meta },
  { ...resource, type: 'resource_link' },
];

const answers: InputAnswers = {
  inputResponses: {
    form: { action: 'accept', content: { a: 'x' }, _meta },
    roots: { roots: [{ uri: 'file:///', name: 'root', _meta }], _meta },
    model: {
      role: 'assistant',
      content: { type: 'text', text: '' },
      model: 'm',
      stopReason: 'endTurn',
      _meta,
    },
  },
  requestState: 'state',
};

const labels = { title: 'Title', description: 'What to fill in' };
const fields: { readonly [name: string]: FormField } = {
  text: { type: 'string', ...labels, minLength: 1, maxLength: 9, format: 'email', default: 'a' },
  odd: { type: 'string', format: 'uuid', pattern: '^a$' },
  number: { type: 'number', ...labels, minimum: 0, maximum: 9, default: 1 },
  integer: { type: 'integer', ...labels, minimum: 0, maximum: 9, default: 1 },
  boolean: { type: 'boolean', ...labels, default: true },
  plain: { type: 'string', ...labels, enum: ['a', 'b'], default: 'a' },
  legacy: { type: 'string', ...labels, enum: ['a', 'b'], enumNames: ['A', 'B'], default: 'a' },
  titled: { type: 'string', ...labels, oneOf: [{ const: 'a', title: 'A' }], default: 'a' },
  several: {
    type: 'array',
    ...labels,
    minItems: 1,
    maxItems: 2,
    items: { type: 'string', enum: ['a'] },
    default: ['a'],
  },
  titledSeveral: {
    type: 'array',
    ...labels,
    minItems: 1,
    maxItems: 2,
    items: { anyOf: [{ const: 'a', title: 'A' }] },
    default: ['a'],
  },
};

const form: ElicitParams = {
  mode: 'form',
  message: 'Please',
  requestedSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: fields,
    required: ['text', 'several'],
  },
  _meta,
};

export const urlElicitation: ElicitParams = {
  mode: 'url',
  message: 'Please',
  url: 'https://example.com',
  elicitationId: '1',
  _meta,
};

const elicited: ElicitResult = { action: 'accept', content: { a: 'x', b: 1, c: true, d: ['y'] }, _meta };

const createMessage: CreateMessageParams = {
  messages: [
    {
      role: 'user',
      content: blocks.filter((block) => ['text', 'image', 'audio'].includes(block.type)) as never,
      _meta,
    },
    {
      role: 'assistant',
      content: { type: 'tool_use', id: '1', name: 'name', input: { a: 1 }, _meta },
      _meta,
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          toolUseId: '1',
          content: blocks,
          structuredContent: { a: 1 },
          isError: false,
          _meta,
        },
      ],
    },
  ],
  maxTokens: 1,
  modelPreferences: { hints: [{ name: 'm' }], costPriority: 0, speedPriority: 1, intelligencePriority: 0.5 },
  systemPrompt: 'Be brief',
  includeContext: 'none',
  temperature: 0.5,
  stopSequences: ['.'],
  metadata: { a: 1 },
  tools: [tool, listingTool],
  toolChoice: { mode: 'auto' },
  _meta,
};

const sampled: CreateMessageResult = {
  role: 'assistant',
  content: [{ type: 'text', text: 'text', annotations, _meta }],
  model: 'm',
  stopReason: 'endTurn',
  _meta,
};

const cache: CacheHints = { ttlMs: 5, cacheScope: 'public' };
const page = { ...cache, nextCursor: 'more', _meta };
const meta = { _meta };

type Request<M extends RequestMethod> = { readonly params: ParamsOf<M>; readonly result: ResultOf<M> };

/** Params and result of every request. */
export const requests: { readonly [M in RequestMethod]: Request<M> } = {
  initialize: {
    params: { protocolVersion: '1', capabilities: clientCapabilities, clientInfo: implementation, _meta },
    result: {
      protocolVersion: '1',
      capabilities: serverCapabilities,
      serverInfo: implementation,
      instructions: 'Read me',
      _meta,
    },
  },
  ping: { params: meta, result: meta },
  'server/discover': {
    params: meta,
    result: {
      ...cache,
      supportedVersions: ['1'],
      capabilities: serverCapabilities,
      instructions: 'Read me',
      _meta,
    },
  },
  'tools/list': { params: { cursor: 'c', _meta }, result: { tools: [tool, listingTool], ...page } },
  'tools/call': {
    params: { name: 'name', arguments: { a: 1 }, task: { ttl: 5 }, ...answers, _meta },
    result: { content: blocks, structuredContent: { a: 1 }, isError: true, _meta },
  },
  'resources/list': { params: { cursor: 'c', _meta }, result: { resources: [resource], ...page } },
  'resources/templates/list': {
    params: { cursor: 'c', _meta },
    result: { resourceTemplates: [resourceTemplate], ...page },
  },
  'resources/read': {
    params: { uri: 'file:///a', ...answers, _meta },
    result: { contents: [textContents, blobContents], ...cache, _meta },
  },
  'resources/subscribe': { params: { uri: 'file:///a', _meta }, result: meta },
  'resources/unsubscribe': { params: { uri: 'file:///a', _meta }, result: meta },
  'prompts/list': {
    params: { cursor: 'c', _meta },
    result: {
      prompts: [
        {
          ...names,
          arguments: [{ name: 'name', title: 'Title', description: 'What it is', required: true }],
        },
      ],
      ...page,
    },
  },
  'prompts/get': {
    params: { name: 'name', arguments: { a: '1' }, ...answers, _meta },
    result: {
      description: 'What it is',
      messages: blocks.map((content) => ({ role: 'user' as const, content })),
      _meta,
    },
  },
  'completion/complete': {
    params: {
      ref: { type: 'ref/prompt', name: 'name', title: 'Title' },
      argument: { name: 'name', value: 'v' },
      context: { arguments: { a: '1' } },
      _meta,
    },
    result: { completion: { values: ['v'], total: 1, hasMore: false }, _meta },
  },
  'logging/setLevel': { params: { level: 'info', _meta }, result: meta },
  'subscriptions/listen': {
    params: {
      notifications: {
        toolsListChanged: true,
        promptsListChanged: true,
        resourcesListChanged: true,
        resourceSubscriptions: ['file:///a'],
      },
      _meta,
    },
    result: { _meta: { ..._meta, 'io.modelcontextprotocol/subscriptionId': 1 } },
  },
  'roots/list': { params: meta, result: { roots: [{ uri: 'file:///', name: 'root', _meta }], _meta } },
  'sampling/createMessage': { params: createMessage, result: sampled },
  'elicitation/create': { params: form, result: elicited },
};

/** The result of a call that needs input. */
export const inputRequired: InputRequiredResult = {
  resultType: 'input_required',
  inputRequests: {
    form: { method: 'elicitation/create', params: form },
    url: { method: 'elicitation/create', params: urlElicitation },
    model: { method: 'sampling/createMessage', params: createMessage },
    roots: { method: 'roots/list', params: meta },
  },
  requestState: 'state',
  _meta,
};

/** Params of every notification. */
export const notices: { readonly [M in NotificationMethod]: NotificationTypes[M] } = {
  'notifications/initialized': meta,
  'notifications/cancelled': { requestId: 1, reason: 'Enough', _meta },
  'notifications/progress': { progressToken: 1, progress: 1, total: 2, message: 'Half', _meta },
  'notifications/message': { level: 'info', logger: 'name', data: { a: 1 }, _meta },
  'notifications/tools/list_changed': meta,
  'notifications/prompts/list_changed': meta,
  'notifications/resources/list_changed': meta,
  'notifications/resources/updated': { uri: 'file:///a', _meta },
  'notifications/roots/list_changed': meta,
  'notifications/elicitation/complete': { elicitationId: '1', _meta },
  'notifications/subscriptions/acknowledged': { notifications: { toolsListChanged: true }, _meta },
};
