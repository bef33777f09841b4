import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer, type Server } from '@tenon/mcp-server';
import { type Catalog, readCatalog } from '@tenon/mcp-workbench';
import { typesModule } from '@tenon/mcp-workbench/types';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

const cache = fileURLToPath(new URL('../../../node_modules/.cache', import.meta.url));

/** The module with the types of a server. */
async function moduleOf(server: Server): Promise<string> {
  const client = await connectMemory(server, { info: { name: 'types', version: '1' } });
  const text = typesModule(await readCatalog(client), { command: 'tenon types -- node server.js' });
  await client.close();
  await server.close();
  return text;
}

/** Returns the first line of each compiler error of a program beside the module. */
async function errorsOf(
  compiler: string,
  files: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'generated-types-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const compilerOptions = {
    ...{ target: 'ES2022', lib: ['ES2022', 'ESNext.Disposable'], module: 'nodenext', types: ['node'] },
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true },
    skipLibCheck: false,
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const config = { compilerOptions, files: Object.keys(files) };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const manifest = createRequire(import.meta.url).resolve(`${compiler}/package.json`);
  const tsc = join(dirname(manifest), 'bin', 'tsc');
  const run = promisify(execFile)(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
    cwd: folder,
  });
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  return stdout
    .split('\n')
    .filter((line) => /^\S/.test(line))
    .map((line) => line.replace(/^(\S+\(\d+),\d+\): error (TS\d+).*$/, '$1) $2'));
}

const program = `import { connect, type ClientOf } from '@tenon/mcp-client';
import type { Server } from './server.js';

const info = { name: 'program', version: '1.0.0' };
const client = await connect<Server>('https://example.com/mcp', { info });
const same: ClientOf<Server> = client;
const { structuredContent } = await client.callTool('sum', { a: 1, b: 2, mode: 'exact' });
export const sum: number | undefined = structuredContent?.sum;
await client.callTool('now');
await client.callTool('get-user', { 'user id': '1' });
await client.getPrompt('ask', { topic: 'cats' });
await client.getPrompt('hello');
const deep = await client.callTool('tree', { root: { value: 1, children: [{ value: 2, children: [] }] } });
export const untyped = deep.structuredContent?.anything;
await same.close();
await client.callTool('sum', { a: '1', b: 2 });
await client.callTool('sum', { a: 1 });
await client.callTool('sum', { a: 1, b: 2, mode: 'other' });
await client.callTool('minus', {});
await client.getPrompt('ask', {});
export const text: string | undefined = structuredContent?.sum;
await client.callTool('tree', { root: { value: 1, children: [{ value: '2', children: [] }] } });
`;

const wrong = [16, 17, 18, 19, 20, 21, 22];

interface Tree {
  readonly value: number;
  readonly children: readonly Tree[];
}

const tree: z.ZodType<Tree> = z.lazy(() => z.object({ value: z.number(), children: z.array(tree) }));

function typedServer(): Server {
  const server = createServer({ name: 'calculator', version: '1.0.0' })
    .tool(
      'sum',
      {
        description: 'Adds two numbers. */ export const evil = 1;',
        input: z.object({
          a: z.number().describe('One'),
          b: z.number(),
          mode: z.enum(['exact', 'about']).optional(),
        }),
        output: z.object({ sum: z.number() }),
      },
      ({ a, b }) => ({ sum: a + b }),
    )
    .tool('now', {}, () => 'noon')
    .tool(
      'get-user',
      { input: z.object({ 'user id': z.string(), 'a"b': z.number().optional() }) },
      () => 'Ann',
    )
    .tool('get_user', { input: z.object({ class: z.string() }) }, () => 'Ann')
    .tool('tree', { input: z.object({ root: tree }) }, () => 'tree')
    .prompt('hello', {}, () => 'hello')
    .prompt('ask', { args: z.object({ topic: z.string(), tone: z.string().optional() }) }, () => 'hello');
  return server as unknown as Server;
}

/** Schemas that refer to themselves in ways that TypeScript accepts, and in ways that it does not. */
const selfish = {
  type: 'object',
  properties: {
    json: { $ref: '#/$defs/json' },
    loop: { $ref: '#/$defs/loop' },
    self: { $ref: '#' },
    Record: { $ref: '#/$defs/Record' },
  },
  $defs: {
    json: {
      anyOf: [
        { type: ['string', 'number', 'boolean', 'null'] },
        { type: 'array', items: { $ref: '#/$defs/json' } },
        { type: 'object', additionalProperties: { $ref: '#/$defs/json' } },
      ],
    },
    loop: { $ref: '#/$defs/other' },
    other: { allOf: [{ $ref: '#/$defs/loop' }] },
    Record: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

const own = `import type { Tools } from './server.js';
type Input = Tools['__proto__']['input'];
export const input: Input = { json: { a: [1, { b: null }] }, self: { Record: { a: 'b' } } };
`;

// The oldest and the newest supported compiler.
describe.each(['typescript-5.9', 'typescript'])('types of a live server with %s', (compiler) => {
  it('type the calls of a client, and reject wrong ones', async () => {
    const files = { 'server.d.ts': await moduleOf(typedServer()), 'program.ts': program };
    const errors = await errorsOf(compiler, files);
    expect(errors.map((line) => Number(/\((\d+)\)/.exec(line)?.[1])).sort((a, b) => a - b)).toEqual(wrong);
    expect(errors.filter((line) => !line.startsWith('program.ts'))).toEqual([]);
  });

  it('compile for schemas that refer to themselves, and for any name', async () => {
    const names = [
      '__proto__',
      'constructor',
      'Tools',
      'Server',
      'a-b',
      'a_b',
      '1',
      '日本',
      "it's",
      '*/',
      'class',
    ];
    const tools = names.map((name) => ({
      name,
      description: name,
      inputSchema: selfish,
      outputSchema: selfish,
    }));
    const lists = {
      tools,
      resources: [],
      resourceTemplates: [],
      prompts: [{ name: '__proto__' }, { name: '*/' }],
    };
    const catalog = { revision: '', server: undefined, capabilities: {}, instructions: undefined, ...lists };
    const module = typesModule(catalog as unknown as Catalog, { command: 'tenon types' });
    expect(await errorsOf(compiler, { 'server.ts': module, 'own.ts': own })).toEqual([]);
  });
});
