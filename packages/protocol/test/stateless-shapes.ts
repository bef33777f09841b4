// Support for the tests beside it: the members 2026-07-28 defines, written by hand from its schema.ts, never from the
// code under test. The suffix keeps it out of the package.
import { by, keys, type Shape } from './closed-shapes.js';

const implementation = keys('name title version description websiteUrl', {
  icons: keys('src mimeType sizes theme'),
});
const dated = { annotations: keys('audience priority lastModified') };
const changes = keys('listChanged');
const settings = { experimental: keys('', { '*': 'open' }), extensions: keys('', { '*': 'open' }) } as const;
const definition = 'name title description _meta';
const icons = { icons: keys('src mimeType sizes theme') };

const requestMeta = keys('com.example/note io.modelcontextprotocol/protocolVersion', {
  'io.modelcontextprotocol/clientInfo': implementation,
  'io.modelcontextprotocol/clientCapabilities': keys('', {
    ...settings,
    roots: keys(''),
    sampling: keys('context tools'),
    elicitation: keys('form url'),
  }),
});
const resultMeta = keys('com.example/note', { 'io.modelcontextprotocol/serverInfo': implementation });

const params = (plain: string, more = {}): Shape =>
  keys(`x-vendor ${plain}`, { _meta: requestMeta, ...more });
const result = (plain: string, more = {}): Shape =>
  keys(`x-vendor resultType ${plain}`, { _meta: resultMeta, ...more });
const cached = 'ttlMs cacheScope';
const page = `nextCursor ${cached}`;

const text = keys('type text _meta', dated);
const media = keys('type data mimeType _meta', dated);
const contents = keys('uri mimeType text blob _meta');
const block = by('type', {
  text,
  image: media,
  audio: media,
  resource: keys('type _meta', { ...dated, resource: contents }),
  resource_link: keys(`type uri mimeType size ${definition}`, { ...dated, ...icons }),
});
const tool = keys(`inputSchema outputSchema ${definition}`, {
  ...icons,
  annotations: keys('title readOnlyHint destructiveHint idempotentHint openWorldHint'),
});
const turn = by('type', {
  text,
  image: media,
  audio: media,
  tool_use: keys('type id name input _meta'),
  tool_result: keys('type toolUseId structuredContent isError _meta', { content: block }),
});
const labels = 'type title description';
const field = {
  text: keys(`${labels} minLength maxLength format default`),
  odd: keys('type'),
  number: keys(`${labels} minimum maximum default`),
  integer: keys(`${labels} minimum maximum default`),
  boolean: keys(`${labels} default`),
  plain: keys(`${labels} enum default`),
  legacy: keys(`${labels} enum enumNames default`),
  titled: keys(`${labels} default`, { oneOf: keys('const title') }),
  several: keys(`${labels} minItems maxItems default`, { items: keys('type enum') }),
  titledSeveral: keys(`${labels} minItems maxItems default`, {
    items: keys('', { anyOf: keys('const title') }),
  }),
};
const form = { requestedSchema: keys('$schema type required', { properties: keys('', field) }) };
const sampling = 'maxTokens systemPrompt includeContext temperature stopSequences metadata';
const samplingParts = {
  messages: keys('role _meta', { content: turn }),
  modelPreferences: keys('costPriority speedPriority intelligencePriority', { hints: keys('name') }),
  tools: tool,
  toolChoice: keys('mode'),
};
const sampled = keys('role model stopReason _meta x-vendor', { content: text });
const elicited = keys('action x-vendor', { content: keys('a b c d') });
const rooted = keys('x-vendor', { roots: keys('uri name _meta') });
const answers = keys('', {
  form: keys('action', { content: keys('a') }),
  roots: keys('', { roots: keys('uri name _meta') }),
  model: keys('role model stopReason _meta', { content: keys('type text') }),
});
const inputRequired = result('requestState', {
  inputRequests: keys('', {
    form: keys('method', { params: keys('mode message', form) }),
    url: keys('method', { params: keys('mode message url') }),
    model: keys('method', { params: keys(sampling, samplingParts) }),
    roots: keys('method', { params: keys('_meta') }),
  }),
});
const filter = keys('toolsListChanged promptsListChanged resourcesListChanged resourceSubscriptions');
const any = '_meta x-vendor';

/** Messages of the stateless revision, stamped. */
export const statelessShapes: { readonly [message: string]: Shape } = {
  'server/discover params': params(''),
  'server/discover result': result(`supportedVersions instructions ${cached}`, {
    capabilities: keys('logging completions', {
      ...settings,
      prompts: changes,
      resources: keys('subscribe listChanged'),
      tools: changes,
    }),
  }),
  'tools/list params': params('cursor'),
  'tools/list result': result(page, { tools: tool }),
  'tools/call params': params('name arguments requestState', { inputResponses: answers }),
  'tools/call result': result('isError structuredContent', { content: block }),
  'tools/call input requests': inputRequired,
  'resources/list params': params('cursor'),
  'resources/list result': result(page, {
    resources: keys(`uri mimeType size ${definition}`, { ...dated, ...icons }),
  }),
  'resources/templates/list params': params('cursor'),
  'resources/templates/list result': result(page, {
    resourceTemplates: keys(`uriTemplate mimeType ${definition}`, { ...dated, ...icons }),
  }),
  'resources/read params': params('uri requestState', { inputResponses: answers }),
  'resources/read result': result(cached, { contents }),
  'resources/read input requests': inputRequired,
  'prompts/list params': params('cursor'),
  'prompts/list result': result(page, {
    prompts: keys(definition, { ...icons, arguments: keys('name title description required') }),
  }),
  'prompts/get params': params('name arguments requestState', { inputResponses: answers }),
  'prompts/get result': result('description', { messages: keys('role', { content: block }) }),
  'prompts/get input requests': inputRequired,
  'completion/complete params': params('', {
    ref: keys('type name title'),
    argument: keys('name value'),
    context: keys('arguments'),
  }),
  'completion/complete result': result('', { completion: keys('values total hasMore') }),
  'subscriptions/listen params': params('', { notifications: filter }),
  'subscriptions/listen result': result('', {
    _meta: keys('com.example/note io.modelcontextprotocol/subscriptionId', {
      'io.modelcontextprotocol/serverInfo': implementation,
    }),
  }),
  'roots/list params': keys(any),
  'roots/list result': rooted,
  'sampling/createMessage params': keys(`${sampling} x-vendor`, samplingParts),
  'sampling/createMessage result': sampled,
  'elicitation/create params': keys('mode message x-vendor', form),
  'elicitation/create url': keys('mode message url x-vendor'),
  'elicitation/create result': elicited,
  'notifications/cancelled params': keys(`requestId reason ${any}`),
  'notifications/progress params': keys(`progressToken progress total message ${any}`),
  'notifications/message params': keys(`level logger data ${any}`),
  'notifications/tools/list_changed params': keys(any),
  'notifications/prompts/list_changed params': keys(any),
  'notifications/resources/list_changed params': keys(any),
  'notifications/resources/updated params': keys(`uri ${any}`),
  'notifications/subscriptions/acknowledged params': keys(any, { notifications: keys('toolsListChanged') }),
};
