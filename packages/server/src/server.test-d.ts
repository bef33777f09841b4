import {
  type Contract,
  type ContractOf,
  defineMethod,
  type InputResponse,
  type SchemaObject,
} from '@tenon/mcp-protocol';
import type { Middleware } from '@tenon/mcp-session';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';
import { defineExtension, serve } from './extensions/define-extension.js';
import type { SavedCall } from './extensions/saved-call.js';
import type { PromptHandler } from './features/prompt-options.js';
import { suggest } from './features/suggest.js';
import type { ToolHandler, ToolOptions } from './features/tool-options.js';
import type { Schema } from './schemas/schema.js';
import { createServer, type Server } from './server.js';

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

// Options and handlers have types, for functions that register what they are given.
export function registerReadOnly<I extends Schema, O extends Schema>(
  name: string,
  options: ToolOptions<I, O>,
  handler: ToolHandler<I, O>,
): void {
  createServer({ name: 'x', version: '1' }).tool(
    name,
    { ...options, annotations: { readOnlyHint: true } },
    handler,
  );
}
const add: ToolHandler<typeof addend> = ({ a }) => `${a + 1}`;
const addend = z.object({ a: z.number() });
const review: PromptHandler<typeof addend> = ({ a }, ctx) => `${ctx.auth?.id}: ${a}`;
createServer({ name: 'x', version: '1' })
  .tool('add', { input: addend }, add)
  .prompt('review', { args: addend }, review);

// A schema with arguments that are unknown at compile time may complete any.
declare const json: SchemaObject;
createServer({ name: 'x', version: '1' }).prompt('p', { args: json, complete: { any: () => [] } }, () => '');
createServer({ name: 'x', version: '1' }).resource(
  'n://{a}' as string,
  { complete: { a: () => [] } },
  () => '',
);
createServer({ name: 'x', version: '1' }).prompt(
  'p',
  { args: addend, complete: { a: (typed) => [typed.trim()] } },
  ({ a }) => `${a}`,
);
// Plain JSON Schema may have members that are called like its keywords, or none that say anything.
createServer({ name: 'x', version: '1' })
  .tool('empty', { output: {} }, () => ({ any: 1 }))
  .tool('json', { input: json }, (input) => `${input}`);

// Handlers read the values that middleware before them sets, and no others.
interface Database {
  count(): number;
}
declare const database: Database;
const withDatabase: Middleware<{ database: Database }> = async (call, next) => {
  call.state.database = database;
  // @ts-expect-error this middleware sets no user
  call.state.user = 'ada';
  return next();
};
const stateful = createServer({ name: 'x', version: '1' })
  .use((call, next) => {
    // @ts-expect-error a type says what middleware sets
    call.state.database = database;
    return next();
  })
  // @ts-expect-error no middleware before it sets a database
  .tool('before', {}, (_, ctx) => `${ctx.state.database}`)
  .use(withDatabase)
  .use<{ user: string }>(async (call, next) => {
    expectTypeOf(call.state.database).toEqualTypeOf<Database | undefined>();
    call.state.user = 'ada';
    return next();
  })
  .tool('count', { input: addend, output: z.object({ sum: z.number() }) }, ({ a }, ctx) => {
    expectTypeOf(ctx.state.database).toEqualTypeOf<Database>();
    expectTypeOf(ctx.state.user).toEqualTypeOf<string>();
    // @ts-expect-error middleware sets it, handlers read it
    ctx.state.user = 'bob';
    return { sum: a + ctx.state.database.count() };
  })
  .prompt(
    'p',
    { args: addend, complete: { a: (_, ctx) => [ctx.state.user] } },
    (_, ctx) => `${ctx.state.database.count()}`,
  )
  .resource(
    'notes://{user}',
    { list: (ctx) => [{ uri: 'notes://a', name: ctx.state.user }], complete: { user: suggest(['a']) } },
    (_, { state }) => state.user,
  )
  .handle(defineMethod('acme/count'), (_, ctx) => ({ count: ctx.state.database.count() }));
declare function serves<C extends Contract>(server: Server<C>): void;
serves(stateful);
const counts: ToolHandler<undefined, undefined, { user: string }> = (_, ctx) => ctx.state.user;
stateful.tool('counts', {}, counts);

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

defineExtension<'com.example/jobs', { readonly job?: 'optional' | 'required' }>({
  id: 'com.example/jobs',
  capabilities: ({ rules }) => (rules.tasks ? { tasks: { requests: { tools: { call: {} } } } } : undefined),
  clientDeclares: ({ rules }) => !rules.tasks,
  toolOptions: {
    job: {
      entry(value) {
        expectTypeOf(value).toEqualTypeOf<'optional' | 'required' | undefined>();
        return value && { execution: { taskSupport: value } };
      },
    },
  },
  methods: [
    serve(defineMethod('jobs/ask'), async (_params, ctx) => {
      const response = await ctx.requestInput('roots', { method: 'roots/list' });
      expectTypeOf(response).toEqualTypeOf<InputResponse>();
      // @ts-expect-error not an input request
      await ctx.requestInput('ping', { method: 'ping' });
      return {};
    }),
  ],
  async interceptToolCall(call) {
    expectTypeOf(call.session).toEqualTypeOf<string | undefined>();
    const stored: SavedCall = JSON.parse(JSON.stringify(call.saved()));
    expectTypeOf(stored.revision).toBeString();
    return call.detach({ signal: call.ctx.signal, input: async () => ({ action: 'decline' }) });
  },
});
defineExtension({
  id: 'com.example/jobs',
  // @ts-expect-error only members that are left to extensions
  toolOptions: { job: { entry: () => ({ title: 'x' }) } },
});
// Tools have no input requests without a form.
createServer({ name: 'x', version: '1' }).tool('asks', {}, (_, ctx) => {
  expectTypeOf(ctx).not.toHaveProperty('requestInput');
  return 'x';
});
