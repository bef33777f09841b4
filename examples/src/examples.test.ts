import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { connect } from '@tenon/mcp-client';
import { describe, expect, it } from 'vitest';
import type { server as echo } from './carriers.js';
import type { server } from './weather.js';

const folder = fileURLToPath(new URL('../dist/', import.meta.url));

/** What each program prints. */
const programs: Readonly<Record<string, readonly string[]>> = {
  'in-memory': ['2 + 3 = 5'],
  methods: ['3 shelves searched', 'Moby-Dick'],
  asking: [
    '2025-11-25 asks: Delete milk?',
    '2025-11-25 answers: Deleted milk; there is a copy in milk-1.bak',
    '2026-07-28 asks: Delete bread?',
    '2026-07-28 answers: Deleted bread; there is a copy in bread-2.bak',
  ],
  resources: [
    'listed note://milk',
    'listed note://mill',
    'completed milk, mill',
    'changed note://milk',
    'read Buy oat milk',
  ],
  prompts: ['completed Oslo, Otta', 'got Tell me about Oslo in 20 words.'],
  middleware: [
    'inbound initialize ok',
    'outbound roots/list ok',
    'inbound tools/call ok',
    'inbound tools/call Formatting is not allowed here',
    'refused with -31003',
  ],
  'client-tour': [
    "watching: [ 'note://milk' ]",
    'asked: Write milk?',
    'changed: note://milk',
    'written: 12',
    'listed: note://milk',
    'page: 1 undefined all: 1',
    "read: Buy oat milk | got: 1 | completed: [ 'milk' ]",
    'batch: 1 1',
  ],
  'http-client': [
    'state: open ',
    "2026-07-28 [ { type: 'text', text: 'Saved milk for everybody' } ]",
    'state: closed ',
    '2025-11-25 1',
    'notes 2',
  ],
  audit: [
    'Call send with {"to":"ada@example.com","password":"hunter2"}?',
    'Call send with {"to":"stranger@example.com","password":"hunter2"}?',
    'Call count with {}?',
    'send {"to":"ada@example.com","password":"[redacted]"} done in time',
    'send {"to":"stranger@example.com","password":"[redacted]"} refused with -1 in time',
    'count undefined refused with -31003 in time',
  ],
  handles: [
    'It holds milk, bread',
    'true This basket is unknown or has expired: call create_basket to get another one.',
    'basket of 2 closed',
  ],
  roots: [
    '8 characters',
    'true The path "/etc/hosts" is outside the roots this server may work in.',
    'Buy milk',
    'resources/read file:///etc/hosts: Resource not found',
  ],
  redaction: [
    'logged asked for [mail] with Bearer [redacted]',
    'logged {',
    "  url: 'postgres://[redacted]@db/accounts',",
    "  apiKey: '[redacted]',",
    "  owner: { mail: '[mail]' }",
    '}',
    'host=db',
    'password=[redacted]',
    'admin=[mail]',
    'logged signed in with Basic [redacted]',
  ],
  showing: [
    'tools 1 listed 2',
    "undefined [ 'milk', 'mill' ]",
    'icon image/png 68',
    'shown notes asks: Connect your drive.',
    'shown https://[drive.example]/connect?step=1',
    'opened https://drive.example/connect?step=1',
    "[ { type: 'text', text: 'accept' } ]",
  ],
  outputs: ['5 {"sum":5}', 'greeting text', 'picture image', 'recipe text + resource_link', 'report text'],
  failures: [
    'done: 1 of 2',
    'the tool failed: There is no milk. There is: bread.',
    'refused: -31003 tools/call buy: Orders of more than 100 need a contract',
    'told to the operator: tool buy warehouse-7 is out of sync',
    'the tool failed: The tool "buy" failed. (Authors: throw ToolError to tell the model why, or set exposeErrors.)',
    'the tool failed: Invalid arguments for tool buy: count: Invalid input: expected int, received number',
  ],
  working: [
    "info { message: 'indexing', pages: 2 }",
    '1 of 2 page 1',
    '2 of 2 page 2',
    '2 pages',
    "info { message: 'indexing', pages: 1000 }",
    'cancelled: index enough',
    'the call: cancelled',
  ],
  visibility: [
    'ada sees balance, close_account',
    'ada closed it',
    'bob sees balance',
    'bob tools/call close_account: Unknown tool: close_account',
  ],
  rates: ['Yes', 'Yes', 'too often: again in 1 s'],
  caching: ['read 11.5 and 11.5 in 1 reads', 'read 11.7 in 2 reads', 'asked again 11.7 in 3 reads'],
  'url-consent': [
    'drive says: Connect your drive. | https://[drive.example]/connect',
    'the user chose: decline',
    'drive says: Connect your drive. | https://[drive.example]/connect',
    'the user chose: accept',
    'drive says: Sign in. | https://[drive.example]/sign-in',
    'files: holiday.jpg',
  ],
  completion: [
    "while typing undefined undefined then [ 'München' ] by 1 request",
    "again [ 'München' ] by 1 request",
    "with a gap [ 'Bremen' ] by 2 requests",
  ],
  'worker-plain': ['26.2 miles', 'true Invalid arguments for tool miles: kilometres: must be >= 0'],
  bundled: ['26.2 miles', 'Invalid arguments for tool miles: kilometres: must be >= 0'],
  targets: [
    '2026-07-28 echo from a child',
    'own from this process',
    'own from this process',
    'own from this process',
    'no-common-revision',
  ],
  'staying-connected': [
    'state: open',
    'state: reconnecting',
    'the call: closed',
    'state: open',
    'watch: gap',
    'afterwards: noon',
    'state: closed',
  ],
  'trusting-nobody': [
    'limit - The list has more than 10 pages.',
    'invalid-answer - The result of the tool "tool_1" cannot be checked by its output schema: it refers to something outside itself. To accept results that are not checked, connect with unverifiedOutput: "accept".',
  ],
  migrated: [
    'log: saving milk',
    'progress: 1',
    'Replace milk?',
    'log: saving milk',
    'progress: 1',
    '-32602',
    'save 12 Buy oat milk',
  ],
  schemas: ['zod: knock knock', 'arktype: knock knock', 'valibot: knock knock', 'plain: knock knock'],
  'keychain-store': ['written: true', 'of two at the same time: 1'],
  'outside/client': ["2026-07-28 [ { type: 'text', text: 'Hello, world!' } ]"],
};

/** Flags of the runtime under which a program must run. */
const flags: Readonly<Record<string, readonly string[]>> = {
  'worker-plain': ['--disallow-code-generation-from-strings'],
};

/** Programs that `http.test.ts` and `http-options.test.ts` drive, and what they share. */
const overHttp = [
  'http-cors',
  'http-express',
  'http-fastify',
  'http-hono',
  'http-hono-node',
  'http-node',
  'http-notes',
  'http-older',
  'http-people',
  'http-plain',
  'http-public',
  'http-serve',
  'http-stores',
  'http-worker',
  'outside/http-server',
];

/** Programs that `protecting.test.ts`, `signing-in.test.ts` and `desktop-sign-in.test.ts` drive. */
const withAuthorization = [
  'protect-express',
  'protect-pages',
  'protect-scopes',
  'protect-server',
  'protect-tokens',
  'protect-upstream',
  'sign-in',
  'sign-in-server',
  'sign-in-service',
  'sign-in-web',
];

describe('programs that run to their end', () => {
  it.each(Object.entries(programs))('%s', (name, lines) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [...(flags[name] ?? []), `${folder}${name}.js`],
      {
        encoding: 'utf8',
      },
    );
    expect(stderr).toBe('');
    expect(stdout.trimEnd().split('\n')).toEqual(lines);
    expect(status).toBe(0);
  });
});

describe('weather', () => {
  const target = { command: process.execPath, args: [`${folder}weather.js`] };
  const info = { name: 'test', version: '1.0.0' };

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])(
    'answers in %s without asking a client that has no forms',
    async (revision) => {
      const client = await connect<typeof server>(target, { info, revision });
      const steps: number[] = [];
      const options = { onProgress: ({ progress }: { progress: number }) => void steps.push(progress) };
      const { content } = await client.callTool('forecast', { city: 'Oslo' }, options);
      await client.close();
      expect(content).toEqual([{ type: 'text', text: '{"unit":"C","highs":[12,14,16]}' }]);
      expect(steps).toEqual([1, 2, 3]);
    },
  );

  it.each(['2025-06-18', '2025-11-25', '2026-07-28'])('asks for the unit in %s', async (revision) => {
    const client = await connect<typeof server>(target, {
      info,
      revision,
      onElicit: () => ({ action: 'accept', content: { unit: 'F' } }),
    });
    const { structuredContent } = await client.callTool('forecast', { city: 'Oslo', days: 1 });
    await client.close();
    expect(structuredContent).toEqual({ unit: 'F', highs: [54] });
  });
});

describe('carriers', () => {
  const program = `${folder}carriers.js`;
  const info = { name: 'test', version: '1.0.0' };

  it('serves over standard streams', async () => {
    const client = await connect<typeof echo>({ command: process.execPath, args: [program] }, { info });
    expect((await client.callTool('echo', { text: 'hello' })).content).toMatchObject([{ text: 'hello' }]);
    await client.close();
  });

  it('serves over HTTP where a port is given, and ends when told to', async () => {
    const child = spawn(process.execPath, [program], { env: { ...process.env, MCP_PORT: '0' } });
    const [url] = (await once(child.stdout, 'data')) as [Buffer];
    const client = await connect<typeof echo>(String(url).trim(), { info });
    expect((await client.callTool('echo', { text: 'hello' })).content).toMatchObject([{ text: 'hello' }]);
    await client.close();
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

it('leaves no program without a test', () => {
  const sources = readdirSync(new URL('.', import.meta.url), { recursive: true }).map(String);
  const tested = [
    ...Object.keys(programs),
    ...overHttp,
    ...withAuthorization,
    'weather',
    'weather-station',
    'carriers',
    'testing-server',
    'outside/server',
  ];
  const found = sources.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  expect(found.map((file) => file.slice(0, -3)).sort()).toEqual(tested.sort());
});
