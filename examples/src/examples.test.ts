import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from '@tenon/mcp-client';
import { describe, expect, it } from 'vitest';
import { showsBy } from '../../tooling/suite/shows.js';
import type { server } from './getting-started/weather.js';
import type { server as echo } from './servers/transports.js';

const folder = fileURLToPath(new URL('../dist/', import.meta.url));

/** Programs that run to their end, and what each prints: `expected/<name>.txt`. */
const expected = new URL('../expected/', import.meta.url);
const programs = readdirSync(expected, { recursive: true })
  .map(String)
  .filter((file) => file.endsWith('.txt'))
  .map((file) => [file.slice(0, -'.txt'.length), readFileSync(new URL(file, expected), 'utf8')] as const);

/** Flags of the runtime under which a program must run. */
const flags: Readonly<Record<string, readonly string[]>> = {
  'recipes/worker-plain': ['--disallow-code-generation-from-strings'],
};

/** Programs that `http/endpoints.test.ts` and `http/options.test.ts` drive, and what they share. */
const overHttp = [
  'http/app',
  'http/cors',
  'http/deploy',
  'http/express',
  'http/fastify',
  'http/hono',
  'http/hono-node',
  'http/metrics',
  'http/node',
  'http/notes',
  'http/older',
  'http/people',
  'http/plain',
  'http/public',
  'http/serve',
  'http/stores',
  'recipes/worker',
  'outside/http-server',
];

/** Programs that the tests in `authorization/` drive. */
const withAuthorization = [
  'authorization/protect-express',
  'authorization/protect-pages',
  'authorization/protect-scopes',
  'authorization/protect-server',
  'authorization/protect-tokens',
  'authorization/protect-upstream',
  'authorization/sign-in',
  'authorization/sign-in-server',
  'authorization/sign-in-service',
  'authorization/sign-in-web',
];

/** Programs that `recipes/endpoints.test.ts` and `recipes/programs.test.ts` drive. */
const ofRecipes = [
  'recipes/bun-deno',
  'recipes/database',
  'recipes/express',
  'recipes/fastify',
  'recipes/hono',
  'recipes/hot-reload',
  'recipes/next-route',
  'recipes/processes',
  'recipes/shared-state',
];

/** Programs that `tooling/browser/apps-example.test.js` drives. */
const inBrowsers = [
  'extensions/apps-host',
  'extensions/apps-many-servers',
  'extensions/apps-sandbox',
  'extensions/apps-server',
  'extensions/apps-view',
];

/** Programs that the tests in `deploy/` drive. */
const ofDeployment = ['deploy/node'];

/** Programs that the tests in `hosts/` drive. */
const ofHosts = ['hosts/agent'];

describe('programs that run to their end', () => {
  it.each(programs)('%s', (name, output) => {
    showsBy(name, {
      'clients/audit': [
        '2024-11-05/server/tools/usage-logged',
        '2026-07-28/server/tools/annotations-untrusted',
        '2026-07-28/server/tools/client-confirms',
        '2026-07-28/server/tools/client-shows-inputs',
        '2026-07-28/server/tools/client-logs',
      ],
      'clients/tour': '2026-07-28/basic/patterns/progress/progress-message',
      'servers/resources': '2026-07-28/server/resources/https-other-schemes',
      'servers/handles': 'draft-tools/tools/handles',
    });
    const program = [...(flags[name] ?? []), `${folder}${name}.js`];
    const { status, stdout, stderr } = spawnSync(process.execPath, program, { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout).toBe(output);
    expect(status).toBe(0);
  });
});

it('clients/audit asks once and logs once for a call with an input request in 2025-11-25 as in 2026-07-28', () => {
  const [, output] = programs.find(([name]) => name === 'clients/audit') ?? [];
  for (const revision of ['2025-11-25', '2026-07-28']) {
    const program = [`${folder}clients/audit.js`, revision];
    const { stdout, stderr } = spawnSync(process.execPath, program, { encoding: 'utf8' });
    expect({ revision, stdout, stderr }).toEqual({ revision, stdout: output, stderr: '' });
  }
});

describe('weather', () => {
  const target = { command: process.execPath, args: [`${folder}getting-started/weather.js`] };
  const info = { name: 'test', version: '1.0.0' };

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])(
    'answers in %s without an elicitation when the client has no forms',
    async (revision) => {
      showsBy(revision, { '2024-11-05': '2024-11-05/architecture/easy-to-build' });
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

describe('transports', () => {
  const program = `${folder}servers/transports.js`;
  const info = { name: 'test', version: '1.0.0' };

  it('serves over standard streams', async () => {
    const client = await connect<typeof echo>({ command: process.execPath, args: [program] }, { info });
    expect((await client.callTool('echo', { text: 'hello' })).content).toMatchObject([{ text: 'hello' }]);
    await client.close();
  });

  it('serves over HTTP when a port is given, and ends on a signal', async () => {
    const child = spawn(process.execPath, [program], { env: { ...process.env, MCP_PORT: '0' } });
    const [url] = (await once(child.stdout, 'data')) as [Buffer];
    const client = await connect<typeof echo>(String(url).trim(), { info });
    expect((await client.callTool('echo', { text: 'hello' })).content).toMatchObject([{ text: 'hello' }]);
    await client.close();
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

describe('connect', () => {
  it('lists the tools of a server that it starts', () => {
    const args = ['clients/connect.js', process.execPath, 'outside/server.js'];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout).toBe('greeter speaks 2026-07-28\ngreet: Says hello\n');
  });
});

describe('state-postgres', () => {
  it('names the cause when the database is away', () => {
    const env = { ...process.env, DATABASE_URL: 'postgres://127.0.0.1:1/none' };
    const run = spawnSync(process.execPath, [`${folder}servers/state-postgres.js`], {
      encoding: 'utf8',
      env,
    });
    expect(run.status).toBe(1);
    expect(run.stderr).toContain('StateError: State: PostgreSQL cannot be reached. connect ECONNREFUSED');
  });
});

it('leaves no program without a test', () => {
  const sources = readdirSync(new URL('.', import.meta.url), { recursive: true }).map(String);
  const tested = [
    ...programs.map(([name]) => name),
    ...overHttp,
    ...withAuthorization,
    ...ofRecipes,
    ...ofDeployment,
    ...ofHosts,
    ...inBrowsers,
    'getting-started/weather',
    'clients/weather-types',
    'getting-started/weather-station',
    'servers/state-postgres',
    'servers/transports',
    'clients/connect',
    // The client of the skills starts it.
    'extensions/skills-server',
    'testing/weather-server',
    'outside/server',
    // The commands of the guide start it.
    'tools/tea',
  ];
  const found = sources
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    // `authorization/protect-pages` is the program of this folder.
    .filter((file) => !file.startsWith(join('authorization', 'pages')));
  expect(found.map((file) => file.slice(0, -3)).sort()).toEqual(tested.sort());
});
