import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { declarationsOf, signatureOf, typeOf } from '@tenon/mcp-workbench/calls';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';

const cache = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));

/** Names that are identifiers, reserved words, and names that need quotes. */
const name = fc.oneof(
  fc.constantFrom(
    'a',
    'b1',
    'class',
    'in',
    'this',
    'a-b',
    '1',
    '',
    '*/',
    'a"b',
    '__proto__',
    'x\ny',
    '\u2028',
    'é',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const text = fc.oneof(fc.constantFrom('*/ text', '// text', 'a\nb', '`$'), fc.string({ unit: 'binary' }));
const value = fc.jsonValue({ maxDepth: 2 });

/** JSON Schemas, valid ones and ones with members of the wrong type. */
const { schema } = fc.letrec<{ schema: unknown }>((tie) => {
  const inner = tie('schema');
  const list = fc.array(inner, { maxLength: 3 });
  return {
    schema: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      fc.boolean(),
      fc.record(
        {
          type: fc.oneof(
            fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'object', 'array', 'file'),
            fc.uniqueArray(fc.constantFrom('string', 'null', 'object', 'array'), { maxLength: 3 }),
          ),
          description: text,
          format: fc.oneof(fc.constantFrom('date', 'uri', '*/'), text),
          default: value,
          minimum: fc.double(),
        },
        { requiredKeys: [] },
      ),
      fc.record({ const: value }),
      fc.record({ enum: fc.array(value, { maxLength: 14 }) }),
      fc.record(
        {
          type: fc.constant('object'),
          properties: fc.dictionary(name, inner, { maxKeys: 4 }),
          required: fc.array(name, { maxLength: 2 }),
          additionalProperties: inner,
        },
        { requiredKeys: ['properties'] },
      ),
      fc.record(
        { type: fc.constant('array'), items: inner, minItems: fc.nat(3) },
        { requiredKeys: ['items'] },
      ),
      fc.record({ prefixItems: list, items: inner, minItems: fc.nat(3) }, { requiredKeys: ['prefixItems'] }),
      fc.record({ oneOf: list, anyOf: list, allOf: list, nullable: fc.boolean() }, { requiredKeys: [] }),
      fc.record({ $ref: fc.constantFrom('#', '#/$defs/a', '#/$defs/b', '#/none', 'urn:x', '%') }),
    ),
  };
});

/** Returns the errors of the compiler for a module. */
async function errorsOf(module: string): Promise<string> {
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'signatures-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'module.ts'), module);
  const compilerOptions = {
    target: 'ES2022',
    lib: ['ES2022'],
    module: 'nodenext',
    types: [],
    strict: true,
    noEmit: true,
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['module.ts'] }));
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  const run = promisify(execFile)(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
    cwd: folder,
  });
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  return stdout;
}

it('prints types and signatures of generated schemas that the compiler accepts', async () => {
  const tools = fc.record({
    inputSchema: fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(name, schema, { maxKeys: 8 }),
      required: fc.array(name, { maxLength: 2 }),
      $defs: fc.record({ a: schema, b: schema }),
    }),
    outputSchema: schema,
    description: text,
  });
  const lines = fc
    .sample(tools, { numRuns: 300, seed: 1 })
    .flatMap(({ inputSchema, outputSchema, description }, index) => {
      const tool = {
        name: `tool${index}`,
        description,
        inputSchema,
        outputSchema: outputSchema as { [keyword: string]: unknown },
      };
      return [true, false].flatMap((all) => {
        const { comment, parameters, result } = signatureOf(tool, { all, width: all ? 60 : 100 });
        const type = typeOf(inputSchema, { layout: all ? 'block' : 'line', brief: !all });
        return [
          ...comment,
          `export declare function tool${index}${all}${parameters}: ${result ?? 'void'};`,
          `export type Type${index}${all} = ${type};`,
          `export namespace Space${index}${all} { ${declarationsOf('Root', inputSchema)} }`,
        ];
      });
    });
  const module = lines.join('\n');
  const errors = await errorsOf(module);
  const [, line] = /\((\d+),/.exec(errors) ?? [];
  expect(
    `${errors.slice(0, 500)}${line === undefined ? '' : module.split(/\r\n|[\n\r\u2028\u2029]/)[Number(line) - 1]}`,
  ).toBe('');
});
