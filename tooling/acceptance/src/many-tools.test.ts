import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Exchange, latestStateless, MetaKey, serverPort } from '@tenon/mcp-protocol';
import { createServer, type Server } from '@tenon/mcp-server';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { growsInProportion, takesAtMost } from '../../suite/effort.js';

const count = 500;
const registrationBudget = 4;
const listBudget = 0.7;

/** Typical schemas: half with a library, half as plain JSON Schema. */
function schemas(index: number) {
  if (index % 2 === 0)
    return {
      input: z.object({
        city: z.string().describe('The city, by its name'),
        days: z.number().int().min(1).max(7).default(3),
        unit: z.enum(['C', 'F']).optional(),
      }),
      output: z.object({ unit: z.enum(['C', 'F']), highs: z.array(z.number()) }),
    };
  const text = { type: 'string', description: 'The city, by its name' } as const;
  const days = { type: 'integer', minimum: 1, maximum: 7 } as const;
  const input = { type: 'object', properties: { city: text, days }, required: ['city'] } as const;
  return { input, output: { type: 'object', properties: { highs: { type: 'array' } } } as const };
}

type Schemas = ReturnType<typeof schemas>;

const all = Array.from({ length: 8 * count }, (_, index) => schemas(index));

/** A server with this number of tools, with their schemas created before. */
function registered(made: readonly Schemas[], limits = {}): Server {
  const server = createServer({ name: 'many', version: '1' }, { limits }) as Server;
  for (const [index, { input, output }] of made.entries()) {
    const description = `Daily highs for a city, by model number ${index}`;
    server.tool(`forecast-${index}`, { description, input, output }, () => ({ content: [] }));
  }
  return server;
}

const program = fileURLToPath(new URL('../fixtures/servers/register-many.js', import.meta.url));

/** Minimum milliseconds of work in several new processes. */
function inNewProcesses(...args: readonly string[]): number {
  const times = Array.from({ length: 3 }, () => {
    const { stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
    expect(stderr).toBe('');
    const told = JSON.parse(stdout) as { readonly count: number; readonly ms: number };
    expect(told.count).toBe(count);
    return told.ms;
  });
  return Math.min(...times);
}

const exchange: Exchange = { facts: {}, send: () => undefined };

interface Page {
  readonly result: { readonly tools: readonly unknown[]; readonly nextCursor?: string };
}

/** Requests one page, as a transport does. */
async function ask(server: Server, cursor: string | undefined): Promise<string> {
  const _meta = { [MetaKey.protocolVersion]: latestStateless.id, [MetaKey.clientCapabilities]: {} };
  const params = cursor === undefined ? { _meta } : { cursor, _meta };
  const answer = server[serverPort].answer({ jsonrpc: '2.0', id: 1, method: 'tools/list', params }, exchange);
  return (await answer) ?? '';
}

/** Returns the cursors of all pages, and their entries. */
async function walked(server: Server) {
  const cursors: (string | undefined)[] = [];
  const pages: Page[] = [];
  let cursor: string | undefined;
  do {
    cursors.push(cursor);
    const page: Page = JSON.parse(await ask(server, cursor));
    pages.push(page);
    cursor = page.result.nextCursor;
  } while (cursor !== undefined);
  return { cursors, pages };
}

test('registers tools in linear time', async () => {
  await growsInProportion(count, (size) => registered(all.slice(0, size)));
});

test(`registers ${count} tools in a few times the time the library needs for its half`, () => {
  const whole = inNewProcesses();
  // The time the library needs to convert input and output of its half to JSON Schema.
  const library = inNewProcesses('library');
  const [both, theirs, ours] = [whole, library, whole - library].map((ms) => `${ms.toFixed(1)} ms`);
  console.log(
    `${count} tools in a new process: registered in ${both}, of which the library ${theirs}, Tenon ${ours}`,
  );
  expect(whole).toBeLessThan(registrationBudget * library);
});

test.each([
  ['in pages', {}],
  ['on one page', { pageSize: count }],
])(`lists ${count} tools %s in at most ${listBudget} of the time to stringify them`, async (_how, limits) => {
  const server = registered(all.slice(0, count), limits);
  const { cursors, pages } = await walked(server);
  expect(pages.flatMap(({ result }) => result.tools)).toHaveLength(count);
  const repeats = 20;
  await takesAtMost(
    listBudget,
    async () => {
      for (let again = 0; again < repeats; again++) for (const cursor of cursors) await ask(server, cursor);
    },
    () => {
      for (let again = 0; again < repeats; again++) for (const page of pages) JSON.stringify(page);
    },
  );
});
