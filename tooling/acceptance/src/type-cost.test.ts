import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const count = 100;
/** Time limit for checking a whole program, in seconds. */

const compiler = fileURLToPath(new URL('../../../node_modules/.bin/tsc', import.meta.url));
const cache = fileURLToPath(new URL('../node_modules/.cache', import.meta.url));

const tool = (index: number) => `tool(
  'forecast-${index}',
  {
    description: 'Daily highs for a city',
    input: z.object({
      city: z.string(),
      days: z.number().int().min(1).max(7).default(3),
      unit: z.enum(['C', 'F']).optional(),
      flag${index}: z.boolean(),
    }),
    output: z.object({ unit: z.enum(['C', 'F']), highs: z.array(z.number()), note${index}: z.string() }),
  },
  async ({ city, days, unit, flag${index} }, ctx) => {
    ctx.progress(1, days);
    return { unit: unit ?? 'C', highs: flag${index} ? [days] : [], note${index}: city };
  },
)`;

const tools = Array.from({ length: count }, (_, index) => tool(index));
const head = `import { createServer } from '@tenon/mcp-server';
import { connect } from '@tenon/mcp-client';
import { z } from 'zod';
export const server = createServer({ name: 'many', version: '1' })`;

/** A client with the server's types, which calls its last tool. */
const client = `
export async function ask(): Promise<string | undefined> {
  const client = await connect<typeof server>('https://example.com/mcp', { info: { name: 'a', version: '1' } });
  const { structuredContent } = await client.callTool('forecast-${count - 1}', { city: 'Oslo', flag${count - 1}: true });
  // @ts-expect-error: unknown tool
  await client.callTool('forecast-${count}', {});
  return structuredContent?.note${count - 1};
}
`;

interface Cost {
  readonly types: number;
  readonly instantiations: number;
  readonly seconds: number;
}

/** Compiler statistics for a program that uses the published packages. */
async function costOf(program: string): Promise<Cost> {
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'type-cost-'));
  const compilerOptions = {
    target: 'ES2022',
    lib: ['ES2022', 'ESNext.Disposable'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true,
  };
  try {
    await writeFile(join(folder, 'many.ts'), program);
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['many.ts'] }));
    const run = promisify(execFile)(compiler, ['-p', folder, '--extendedDiagnostics']);
    const { stdout } = await run.catch((error: { stdout: string }) => error);
    expect(stdout.split('\n').filter((line) => line.includes('error TS'))).toEqual([]);
    const figure = (name: string) => Number(new RegExp(`^${name}:\\s*([\\d.]+)`, 'm').exec(stdout)?.[1]);
    return {
      types: figure('Types'),
      instantiations: figure('Instantiations'),
      seconds: figure('Total time'),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test.each([
  ['chained', `${head}\n  .${tools.join('\n  .')};\n${client}`, { types: 46_000, instantiations: 350_000 }],
  [
    'one by one',
    `${head};\nserver.${tools.join(';\nserver.')};\n`,
    { types: 20_000, instantiations: 140_000 },
  ],
])(
  `a server of ${count} zod tools, registered %s, is type-checked within its budget`,
  async (how, program, budget) => {
    const { types, instantiations, seconds } = await costOf(program);
    console.log(`${count} tools ${how}: ${types} types, ${instantiations} instantiations, ${seconds} s`);
    expect(types).toBeGreaterThan(1_000);
    expect(types).toBeLessThan(budget.types);
    expect(instantiations).toBeLessThan(budget.instantiations);
  },
);

test("a chain of tools may be longer than the compiler's limit on nested types", async () => {
  const long = Array.from({ length: 250 }, (_, index) => `.tool('tool-${index}', {}, () => 'x')`);
  await costOf(`${head}\n  ${long.join('\n  ')};\n`);
});
