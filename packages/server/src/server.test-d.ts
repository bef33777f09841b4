import type { ContractOf } from '@tenon/mcp-protocol';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';
import { defineExtension } from './extensions/extension.js';
import { createServer } from './server.js';

declare module '@tenon/mcp-protocol' {
  interface Extensions {
    readonly 'com.example/typed'?: { readonly level: number };
  }
}

const server = createServer({ name: 'typed', version: '1' })
  .tool(
    'add',
    { input: z.object({ a: z.number(), b: z.number().default(2) }), output: z.object({ sum: z.number() }) },
    (input, ctx) => {
      expectTypeOf(input).toEqualTypeOf<{ a: number; b: number }>();
      expectTypeOf(ctx.signal).toEqualTypeOf<AbortSignal>();
      return { sum: input.a + input.b };
    },
  )
  .tool(
    'plain',
    {
      input: {
        type: 'object',
        properties: { q: { type: 'string' }, n: { type: 'integer' } },
        required: ['q'],
      },
    },
    async (input) => {
      expectTypeOf(input.q).toEqualTypeOf<string>();
      expectTypeOf(input.n).toEqualTypeOf<number | undefined>();
      return input.q;
    },
  )
  .prompt(
    'review',
    { args: z.object({ code: z.string(), tone: z.string().optional() }) },
    ({ code, tone }) => {
      expectTypeOf(tone).toEqualTypeOf<string | undefined>();
      return code;
    },
  );

type Promised = ContractOf<typeof server>;
expectTypeOf<Promised['tools']['add']['input']>().toEqualTypeOf<{ a: number; b?: number | undefined }>();
expectTypeOf<Promised['tools']['add']['output']>().toEqualTypeOf<{ sum: number }>();
expectTypeOf<keyof Promised['tools']>().toEqualTypeOf<'add' | 'plain'>();
expectTypeOf<keyof Promised['prompts']>().toEqualTypeOf<'review'>();

createServer({ name: 'x', version: '1' }).tool('ask', {}, async (_, ctx) => {
  const answer = await ctx.elicit('k', { message: '?', schema: z.object({ unit: z.enum(['C', 'F']) }) });
  if (answer.action === 'accept') expectTypeOf(answer.content.unit).toEqualTypeOf<'C' | 'F'>();
  else expectTypeOf(answer.content).toEqualTypeOf<undefined>();
  return answer.action;
});

// So is plain JSON Schema.
createServer({ name: 'x', version: '1' }).tool('ask', {}, async (_, ctx) => {
  const schema = { type: 'object', properties: { unit: { type: 'string' } }, required: ['unit'] } as const;
  const written = await ctx.elicit('k', {
    message: '?',
    schema: { type: 'object', properties: { days: { type: 'integer' } }, required: ['days'] },
  });
  const named = await ctx.elicit('other', { message: '?', schema });
  if (written.action === 'accept') expectTypeOf(written.content.days).toEqualTypeOf<number>();
  if (named.action === 'accept') expectTypeOf(named.content.unit).toEqualTypeOf<string>();
  return 'asked';
});

// A promise of output is kept by type.
const summing = { output: z.object({ sum: z.number() }) };
// @ts-expect-error sum must be a number
createServer({ name: 'x', version: '1' }).tool('bad', summing, () => ({ sum: 'x' }));
// Literals in output stay literals.
createServer({ name: 'x', version: '1' })
  .tool('zod', { output: z.object({ k: z.enum(['a', 'b']) }) }, () => ({ k: 'a' }))
  .tool('plain', { output: { type: 'object', properties: { k: { enum: ['a', 'b'] } } } }, async () => ({
    k: 'b',
  }));
// @ts-expect-error without output there is nothing to promise
createServer({ name: 'x', version: '1' }).tool('bad', {}, () => 5);
// @ts-expect-error a name and a version are needed
createServer({ name: 'x' });

// Variables are read off a template.
createServer({ name: 'x', version: '1' })
  .resource('notes://{day}/{part:3}', {}, ({ variables }) => {
    expectTypeOf(variables.day).toEqualTypeOf<string>();
    expectTypeOf(variables.part).toEqualTypeOf<string>();
    return variables.day;
  })
  .resource('files://{+path}{?limit,tag*}', {}, ({ variables }) => {
    expectTypeOf(variables.path).toEqualTypeOf<string>();
    expectTypeOf(variables.limit).toEqualTypeOf<string | undefined>();
    expectTypeOf(variables.tag).toEqualTypeOf<readonly string[] | undefined>();
    return variables.path;
  })
  .resource('notes://today' as string, {}, ({ variables }) => {
    expectTypeOf(variables).toEqualTypeOf<{ readonly [name: string]: string | readonly string[] }>();
    return 'x';
  });

// What once remembers has been JSON.
createServer({ name: 'x', version: '1' }).tool('once', {}, async (_, ctx) => {
  expectTypeOf(await ctx.once('a', () => new Date())).toEqualTypeOf<string>();
  expectTypeOf(await ctx.once('b', async () => ({ at: new Date(), n: 1, list: ['x'] }))).toEqualTypeOf<{
    at: string;
    n: number;
    list: string[];
  }>();
  expectTypeOf(await ctx.once('c', () => undefined)).toEqualTypeOf<undefined>();
  return 'x';
});

// Extensions of third parties are typed by declaration merging.
const typed = defineExtension({ id: 'com.example/typed', settings: { level: 1 }, external: true });
createServer({ name: 'x', version: '1' }, { extensions: [typed] }).tool('extension', {}, (_, ctx) => {
  expectTypeOf(ctx.extension('com.example/typed')).toEqualTypeOf<{ readonly level: number } | undefined>();
  return 'x';
});
// @ts-expect-error level is a number
defineExtension({ id: 'com.example/typed', settings: { level: 'high' }, external: true });
