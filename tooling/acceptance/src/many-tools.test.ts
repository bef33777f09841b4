import { spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { type Exchange, latestStateless, MetaKey } from '@tenon/mcp-protocol';
import { createServer, type Server } from '@tenon/mcp-server';
import { expect, test } from 'vitest';
import { z } from 'zod';

const count = 500;
const registrationBudget = 100;
const listBudget = 0.7;
const rounds = 15;

/** Schemas as authors write them: half by a library, half as plain JSON Schema. */
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

/** Milliseconds of work that registering takes, whatever else the machine does; the schemas are there already. */
function registered(limits = {}): { readonly server: Server; readonly ms: number } {
  const made = Array.from({ length: count }, (_, index) => schemas(index));
  const server = createServer({ name: 'many', version: '1' }, { limits }) as Server;
  const before = process.cpuUsage();
  for (const [index, { input, output }] of made.entries()) {
    const description = `Daily highs for a city, by model number ${index}`;
    server.tool(`forecast-${index}`, { description, input, output }, () => ({ content: [] }));
  }
  const { user, system } = process.cpuUsage(before);
  return { server, ms: (user + system) / 1_000 };
}

const program = fileURLToPath(new URL('../fixtures/servers/register-many.js', import.meta.url));

/** Milliseconds of work in a process that has done nothing before, the least of some such. */
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

const median = (values: readonly number[]) =>
  [...values].sort((left, right) => left - right)[values.length >> 1] ?? 0;

const exchange: Exchange = { facts: {}, send: () => undefined };

interface Page {
  readonly result: { readonly tools: readonly unknown[]; readonly nextCursor?: string };
}

/** Asks for one page, as a carrier does. */
async function ask(server: Server, cursor: string | undefined): Promise<string> {
  const _meta = { [MetaKey.protocolVersion]: latestStateless.id, [MetaKey.clientCapabilities]: {} };
  const params = cursor === undefined ? { _meta } : { cursor, _meta };
  const answer = server.answer({ jsonrpc: '2.0', id: 1, method: 'tools/list', params }, exchange);
  return (await answer) ?? '';
}

/** The cursors of all pages, and what stands on them. */
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

test(`${count} tools are registered in under ${registrationBudget} ms`, () => {
  const [first = 0, ...later] = Array.from({ length: 7 }, () => registered().ms);
  const least = Math.min(first, ...later);
  console.log(`${count} tools: registered in ${least.toFixed(1)} ms, the first time ${first.toFixed(1)} ms`);
  // What a busy machine adds is not ours: the least is what registering takes.
  expect(least).toBeLessThan(registrationBudget);
});

test(`${count} tools are registered in under ${registrationBudget} ms as the first thing a process does`, () => {
  const whole = inNewProcesses();
  // What the library takes to say in JSON Schema what its half of the tools take and give.
  const library = inNewProcesses('library');
  const [all, theirs, ours] = [whole, library, whole - library].map((ms) => `${ms.toFixed(1)} ms`);
  console.log(
    `${count} tools, the first time: registered in ${all}, of which the library ${theirs}, Tenon ${ours}`,
  );
  expect(whole - library).toBeLessThan(registrationBudget);
});

test.each([
  ['in pages', {}],
  ['on one page', { pageSize: count }],
])(`listing ${count} tools %s takes at most ${listBudget} of stringifying them`, async (how, limits) => {
  const { server } = registered(limits);
  const { cursors, pages } = await walked(server);
  expect(pages.flatMap(({ result }) => result.tools)).toHaveLength(count);
  const timesOf: [listing: number[], stringifying: number[]] = [[], []];
  const repeats = 20;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    for (let again = 0; again < repeats; again++) for (const cursor of cursors) await ask(server, cursor);
    const middle = performance.now();
    for (let again = 0; again < repeats; again++) for (const page of pages) JSON.stringify(page);
    timesOf[0].push((middle - start) / repeats);
    timesOf[1].push((performance.now() - middle) / repeats);
  }
  const [listing, stringifying] = timesOf.map(median);
  const ratio = (listing ?? 0) / (stringifying ?? 1);
  const told = [listing, stringifying].map((ms) => `${((ms ?? 0) * 1_000).toFixed(0)} µs`);
  console.log(`${count} tools ${how}: listed in ${told[0]}, stringified in ${told[1]}: ${ratio.toFixed(2)}`);
  expect(ratio).toBeLessThan(listBudget);
});
