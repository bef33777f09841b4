// Support for the tests beside it: the members each revision defines, written by hand from its schema.ts, never from
// the code under test. The suffix keeps it out of the package.
import { by, keys, type Shape } from './closed-shapes.js';

/** Members that any params or result may have: metadata, and what no revision defines. */
const any = '_meta x-vendor';

export type Shapes = { readonly [part: string]: Shape };

function content(p: { readonly annotations: Shape; readonly marks: string; readonly link?: string }) {
  const marks = { annotations: p.annotations };
  const text = keys(`type text ${p.marks}`, marks);
  const image = keys(`type data mimeType ${p.marks}`, marks);
  const contents = keys(`uri mimeType text blob ${p.marks}`);
  const resource = keys(`type ${p.marks}`, { ...marks, resource: contents });
  const link = keys(`type uri name description mimeType size ${p.link ?? ''}`, marks);
  return { text, image, audio: image, resource, resource_link: link, contents };
}

const toolAnnotations = keys('title readOnlyHint destructiveHint idempotentHint openWorldHint');
const changes = keys('listChanged');
const subscribable = keys('subscribe listChanged');
const serverCapabilities = {
  experimental: keys('', { '*': 'open' }),
  prompts: changes,
  resources: subscribable,
  tools: changes,
} as const;
const preferences = keys('costPriority speedPriority intelligencePriority', { hints: keys('name') });
const sampling = 'maxTokens systemPrompt includeContext temperature stopSequences metadata';
const page = `nextCursor ${any}`;

const c2024 = content({ annotations: keys('audience priority'), marks: '' });
const block2024 = by('type', { text: c2024.text, image: c2024.image, resource: c2024.resource });
const audience = keys('audience priority');

const shapes2024: Shapes = {
  'initialize params': keys(`protocolVersion ${any}`, {
    capabilities: keys('sampling', {
      experimental: keys('', { '*': 'open' }),
      roots: changes,
      sampling: keys(''),
    }),
    clientInfo: keys('name version'),
  }),
  'initialize result': keys(`protocolVersion instructions ${any}`, {
    capabilities: keys('logging', serverCapabilities),
    serverInfo: keys('name version'),
  }),
  'ping params': keys(any),
  'ping result': keys(any),
  'tools/list params': keys(`cursor ${any}`),
  'tools/list result': keys(page, { tools: keys('name description inputSchema') }),
  'tools/call params': keys(`name arguments ${any}`),
  'tools/call result': keys(`isError ${any}`, { content: block2024 }),
  'resources/list params': keys(`cursor ${any}`),
  'resources/list result': keys(page, {
    resources: keys('uri name description mimeType size', { annotations: audience }),
  }),
  'resources/templates/list params': keys(`cursor ${any}`),
  'resources/templates/list result': keys(page, {
    resourceTemplates: keys('uriTemplate name description mimeType', { annotations: audience }),
  }),
  'resources/read params': keys(`uri ${any}`),
  'resources/read result': keys(any, { contents: c2024.contents }),
  'resources/subscribe params': keys(`uri ${any}`),
  'resources/subscribe result': keys(any),
  'resources/unsubscribe params': keys(`uri ${any}`),
  'resources/unsubscribe result': keys(any),
  'prompts/list params': keys(`cursor ${any}`),
  'prompts/list result': keys(page, {
    prompts: keys('name description', { arguments: keys('name description required') }),
  }),
  'prompts/get params': keys(`name arguments ${any}`),
  'prompts/get result': keys(`description ${any}`, { messages: keys('role', { content: block2024 }) }),
  'completion/complete params': keys(any, { ref: keys('type name'), argument: keys('name value') }),
  'completion/complete result': keys(any, { completion: keys('values total hasMore') }),
  'logging/setLevel params': keys(`level ${any}`),
  'logging/setLevel result': keys(any),
  'roots/list params': keys(any),
  'roots/list result': keys(any, { roots: keys('uri name') }),
  'sampling/createMessage params': keys(`${sampling} ${any}`, {
    messages: keys('role', { content: by('type', { text: c2024.text, image: c2024.image }) }),
    modelPreferences: preferences,
  }),
  'sampling/createMessage result': keys(`role model stopReason ${any}`, { content: c2024.text }),
  'notifications/initialized params': keys(any),
  'notifications/cancelled params': keys(`requestId reason ${any}`),
  'notifications/progress params': keys(`progressToken progress total ${any}`),
  'notifications/message params': keys(`level logger data ${any}`),
  'notifications/tools/list_changed params': keys(any),
  'notifications/prompts/list_changed params': keys(any),
  'notifications/resources/list_changed params': keys(any),
  'notifications/resources/updated params': keys(`uri ${any}`),
  'notifications/roots/list_changed params': keys(any),
};

const block2025 = by('type', {
  text: c2024.text,
  image: c2024.image,
  audio: c2024.audio,
  resource: c2024.resource,
});

const shapes202503: Shapes = {
  ...shapes2024,
  'initialize result': keys(`protocolVersion instructions ${any}`, {
    capabilities: keys('logging completions', serverCapabilities),
    serverInfo: keys('name version'),
  }),
  'tools/list result': keys(page, {
    tools: keys('name description inputSchema', { annotations: toolAnnotations }),
  }),
  'tools/call result': keys(`isError ${any}`, { content: block2025 }),
  'prompts/get result': keys(`description ${any}`, { messages: keys('role', { content: block2025 }) }),
  'sampling/createMessage params': keys(`${sampling} ${any}`, {
    messages: keys('role', {
      content: by('type', { text: c2024.text, image: c2024.image, audio: c2024.audio }),
    }),
    modelPreferences: preferences,
  }),
  'notifications/progress params': keys(`progressToken progress total message ${any}`),
};

const dated = keys('audience priority lastModified');
const c202506 = content({ annotations: dated, marks: '_meta', link: 'title _meta' });
const { contents: contents202506, ...blocks202506 } = c202506;
const block202506 = by('type', blocks202506);
const field202506 = {
  text: keys('type title description minLength maxLength format'),
  odd: keys('type'),
  number: keys('type title description minimum maximum'),
  integer: keys('type title description minimum maximum'),
  boolean: keys('type title description default'),
  plain: keys('type title description enum'),
  legacy: keys('type title description enum enumNames'),
  titled: keys('type title description enum enumNames'),
};

const shapes202506: Shapes = {
  ...shapes202503,
  'initialize params': keys(`protocolVersion ${any}`, {
    capabilities: keys('', {
      experimental: keys('', { '*': 'open' }),
      roots: changes,
      sampling: keys(''),
      elicitation: keys(''),
    }),
    clientInfo: keys('name version title'),
  }),
  'initialize result': keys(`protocolVersion instructions ${any}`, {
    capabilities: keys('logging completions', serverCapabilities),
    serverInfo: keys('name version title'),
  }),
  'tools/list result': keys(page, {
    tools: keys('name title description inputSchema outputSchema _meta', { annotations: toolAnnotations }),
  }),
  'tools/call result': keys(`isError structuredContent ${any}`, { content: block202506 }),
  'resources/list result': keys(page, {
    resources: keys('uri name title description mimeType size _meta', { annotations: dated }),
  }),
  'resources/templates/list result': keys(page, {
    resourceTemplates: keys('uriTemplate name title description mimeType _meta', { annotations: dated }),
  }),
  'resources/read result': keys(any, { contents: contents202506 }),
  'prompts/list result': keys(page, {
    prompts: keys('name title description _meta', { arguments: keys('name title description required') }),
  }),
  'prompts/get result': keys(`description ${any}`, { messages: keys('role', { content: block202506 }) }),
  'completion/complete params': keys(any, {
    ref: keys('type name title'),
    argument: keys('name value'),
    context: keys('arguments'),
  }),
  'roots/list result': keys(any, { roots: keys('uri name _meta') }),
  'sampling/createMessage params': keys(`${sampling} ${any}`, {
    messages: keys('role', {
      content: by('type', { text: c202506.text, image: c202506.image, audio: c202506.audio }),
    }),
    modelPreferences: preferences,
  }),
  'sampling/createMessage result': keys(`role model stopReason ${any}`, { content: c202506.text }),
  'elicitation/create params': keys(`message ${any}`, {
    requestedSchema: keys('type required', { properties: keys('', field202506) }),
  }),
  'elicitation/create result': keys(`action ${any}`, { content: keys('a b c') }),
};

const icons = keys('src mimeType sizes theme');
const implementation = keys('name title version description websiteUrl', { icons });
const c202511 = content({ annotations: dated, marks: '_meta', link: 'title icons _meta' });
const { contents: _contents, ...blocks202511 } = c202511;
const block202511 = by('type', blocks202511);
const field202511 = {
  text: keys('type title description minLength maxLength format default'),
  odd: keys('type'),
  number: keys('type title description minimum maximum default'),
  integer: keys('type title description minimum maximum default'),
  boolean: keys('type title description default'),
  plain: keys('type title description enum default'),
  legacy: keys('type title description enum enumNames default'),
  titled: keys('type title description default', { oneOf: keys('const title') }),
  several: keys('type title description minItems maxItems default', { items: keys('type enum') }),
  titledSeveral: keys('type title description minItems maxItems default', {
    items: keys('', { anyOf: keys('const title') }),
  }),
};
const form = keys('$schema type required', { properties: keys('', field202511) });
const tool202511 = keys('name title description icons inputSchema outputSchema _meta', {
  annotations: toolAnnotations,
  execution: keys('taskSupport'),
});
const turns = keys('role _meta', {
  content: by('type', {
    text: c202511.text,
    image: c202511.image,
    audio: c202511.audio,
    tool_use: keys('type id name input _meta'),
    tool_result: keys('type toolUseId structuredContent isError _meta', { content: block202511 }),
  }),
});

const shapes202511: Shapes = {
  ...shapes202506,
  'initialize params': keys(`protocolVersion ${any}`, {
    capabilities: keys('', {
      experimental: keys('', { '*': 'open' }),
      roots: changes,
      sampling: keys('context tools'),
      elicitation: keys('form url'),
      tasks: keys('list cancel', {
        requests: keys('', { sampling: keys('createMessage'), elicitation: keys('create') }),
      }),
    }),
    clientInfo: implementation,
  }),
  'initialize result': keys(`protocolVersion instructions ${any}`, {
    capabilities: keys('logging completions', {
      ...serverCapabilities,
      tasks: keys('list cancel', { requests: keys('', { tools: keys('call') }) }),
    }),
    serverInfo: implementation,
  }),
  'tools/list result': keys(page, { tools: tool202511 }),
  'tools/call params': keys(`name arguments ${any}`, { task: keys('ttl') }),
  'tools/call result': keys(`isError structuredContent ${any}`, { content: block202511 }),
  'resources/list result': keys(page, {
    resources: keys('uri name title description icons mimeType size _meta', { annotations: dated }),
  }),
  'resources/templates/list result': keys(page, {
    resourceTemplates: keys('uriTemplate name title description icons mimeType _meta', {
      annotations: dated,
    }),
  }),
  'prompts/list result': keys(page, {
    prompts: keys('name title description icons _meta', {
      arguments: keys('name title description required'),
    }),
  }),
  'prompts/get result': keys(`description ${any}`, { messages: keys('role', { content: block202511 }) }),
  'sampling/createMessage params': keys(`${sampling} ${any}`, {
    messages: turns,
    modelPreferences: preferences,
    tools: tool202511,
    toolChoice: keys('mode'),
  }),
  'elicitation/create params': keys(`mode message ${any}`, { requestedSchema: form }),
  'elicitation/create url': keys(`mode message url elicitationId ${any}`),
  'elicitation/create result': keys(`action ${any}`, { content: keys('a b c d') }),
  'notifications/elicitation/complete params': keys(`elicitationId ${any}`),
};

/** Messages of each handshake revision. */
export const handshakeShapes: { readonly [id: string]: Shapes } = {
  '2024-11-05': shapes2024,
  '2025-03-26': shapes202503,
  '2025-06-18': shapes202506,
  '2025-11-25': shapes202511,
};
