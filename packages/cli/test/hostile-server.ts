import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Characters that a terminal obeys or hides: CSI as C0 and as C1, OSC, BEL, CR, changes of direction, tags, DEL. */
export const hostileCharacters = '\u001b[31m\u009b2J\u001b]0;t\u0007\r\u202e\u2066\u{e0041}\u007f';

/** Returns a word with hostile characters inside. */
export function hostile(word: string): string {
  return `${word}${hostileCharacters}${word}`;
}

const x = hostile('x');
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const schema = {
  type: 'object',
  title: x,
  description: x,
  properties: {
    [x]: {
      type: 'string',
      title: x,
      description: x,
      enum: [x, `${x}*/`],
      default: x,
      format: x,
    },
    y: { $ref: `#/$defs/${encodeURIComponent(x)}` },
    z: { const: x, examples: [x] },
  },
  $defs: { [x]: { type: 'string', description: x } },
};
const entry = { title: x, description: `${x}*\u001b/`, icons: [{ src: x, mimeType: x }] };
const task = (status: string) => ({
  ...{ taskId: 'task-1', status, statusMessage: x, createdAt: x, lastUpdatedAt: x, ttl: null },
  pollInterval: 1,
});
const content = [
  { type: 'text', text: x },
  { type: 'image', data: png, mimeType: `image/${x}` },
  { type: 'audio', data: png, mimeType: x },
  { type: 'resource_link', uri: x, name: x, ...entry },
  { type: 'resource', resource: { uri: x, mimeType: x, text: x } },
  { type: 'resource', resource: { uri: x, mimeType: x, blob: png } },
];
const ui = { ui: { resourceUri: 'ui://app', visibility: ['model'] } };

/** The results of a server in which every text is hostile, by method, and by name where a method has one. */
export const hostileResults: Readonly<Record<string, unknown>> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: {
      ...{ tools: { listChanged: true }, prompts: {}, completions: {}, logging: {} },
      resources: { subscribe: true },
      tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
      extensions: { 'io.modelcontextprotocol/skills': {}, 'io.modelcontextprotocol/ui': {} },
    },
    serverInfo: { name: x, version: x, ...entry },
    instructions: x,
  },
  ping: {},
  'logging/setLevel': {},
  'resources/subscribe': {},
  'resources/unsubscribe': {},
  'tools/list': {
    tools: [
      { name: 'go', ...entry, inputSchema: { type: 'object' }, outputSchema: schema, _meta: ui },
      { name: 'task', inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' } },
      ...['fail', 'broken'].map((name) => ({ name, inputSchema: { type: 'object' } })),
      { name: x, ...entry, inputSchema: schema, annotations: { title: x, readOnlyHint: true } },
    ],
  },
  'tools/call go': { content, structuredContent: { [x]: x, other: x } },
  'tools/call task': { task: task('working') },
  'tools/call fail': { content, isError: true },
  [`tools/call ${x}`]: { content },
  'resources/list': {
    resources: [
      { uri: 'text://a', name: x, mimeType: x, ...entry },
      { uri: x, name: x },
      { uri: 'ui://app', name: x, mimeType: 'text/html;profile=mcp-app' },
      { uri: 'skill://index.json', name: x, mimeType: 'application/json' },
    ],
  },
  'resources/templates/list': {
    resourceTemplates: [{ uriTemplate: `x://{${x}}`, name: x, mimeType: x, ...entry }],
  },
  'resources/read text://a': { contents: [{ uri: x, mimeType: x, text: x }] },
  'resources/read bytes://a': { contents: [{ uri: x, mimeType: x, blob: png }] },
  'resources/read ui://app': {
    contents: [
      {
        ...{ uri: 'ui://app', mimeType: 'text/html;profile=mcp-app', text: x },
        _meta: { ui: { domain: x, csp: {} } },
      },
    ],
  },
  'resources/read skill://index.json': {
    contents: [
      {
        uri: 'skill://index.json',
        mimeType: 'application/json',
        text: JSON.stringify({
          skills: [{ name: 'go', type: 'skill-md', description: x, url: 'skill://go/SKILL.md' }],
        }),
      },
    ],
  },
  'resources/read skill://go/SKILL.md': {
    contents: [{ uri: 'skill://go/SKILL.md', text: `---\nname: go\ndescription: ${x}\n---\n${x}` }],
  },
  'prompts/list': {
    prompts: [
      { name: 'ask', ...entry, arguments: [{ name: 'a', description: x }] },
      { name: x, ...entry, arguments: [{ name: x, description: x, required: true }] },
    ],
  },
  'prompts/get ask': {
    description: x,
    messages: content.map((block) => ({ role: 'user', content: block })),
  },
  'completion/complete': { completion: { values: [x, x], total: 9 } },
  'tasks/list': { tasks: [task('working'), { ...task('failed'), taskId: x }] },
  'tasks/get': task('completed'),
  'tasks/result': { content },
  'tasks/cancel': task('cancelled'),
};

/** Returns the answer of the hostile server to a request. */
export function hostileAnswer({ id, method, params }: HostileRequest): object {
  const result = hostileResults[method] ?? hostileResults[`${method} ${params?.name ?? params?.uri}`];
  return result === undefined
    ? { jsonrpc: '2.0', id, error: { code: -32_000, message: x + errors++, data: { [x]: x } } }
    : { jsonrpc: '2.0', id, result };
}

/** Makes each error of the server different from the one before. */
let errors = 0;

interface HostileRequest {
  readonly id?: unknown;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly uri?: string };
}

/** Serves the hostile server over Streamable HTTP, without sessions. */
export async function serveHostile() {
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      if (request.method !== 'POST') return response.writeHead(405, { 'x-note': 'no' }).end(x);
      const message = JSON.parse(text) as HostileRequest;
      if (message.id === undefined) return response.writeHead(202).end();
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(JSON.stringify(hostileAnswer(message)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

/** The text of a Node program that serves the hostile server over stdio, and that notifies its client as soon as it can. */
export const hostileProgram: string = `
const x = ${JSON.stringify(x)};
const results = ${JSON.stringify(hostileResults)};
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
process.stderr.write(x + '\\n');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (method === 'logging/setLevel') {
    send({ method: 'notifications/message', params: { level: 'error', logger: x, data: x } });
    send({ method: 'notifications/message', params: { level: 'error', data: { [x]: x } } });
  }
  if (id === undefined) return;
  const result = results[method] ?? results[method + ' ' + (params.name ?? params.uri)];
  send(result === undefined ? { id, error: { code: -32000, message: x, data: x } } : { id, result });
});
`;
