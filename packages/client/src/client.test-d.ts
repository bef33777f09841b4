import {
  type Contracted,
  defineMethod,
  defineNotification,
  type Tool,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { revision20260728 } from '@tenon/mcp-protocol/internal';
import type { Client } from './client.js';
import { connect } from './connect.js';
import { defineExtension, listen, serve } from './extensions/define-extension.js';
import type { ClientExtension } from './extensions/installation.js';
import type {
  CallArguments,
  ToolInput,
  ToolName,
  ToolOutput,
  ToolResult,
  UntypedOutput,
  UntypedValue,
} from './features/tools.js';
import { connectMemory, type MemoryServer } from './memory.js';
import type { ConnectOptions } from './options.js';
import { createCompleter } from './ui/completer.js';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_: Equal<A, B>): void {}

interface Weather {
  readonly tools: {
    readonly forecast: {
      readonly input: { readonly city: string; readonly days?: number };
      readonly output: { readonly highs: readonly number[] };
    };
    readonly said: { readonly input: object; readonly output: unknown };
    readonly reset: { readonly input: { readonly hard?: boolean }; readonly output: undefined };
  };
  readonly prompts: {
    readonly brief: { readonly args: { readonly city: string } };
    readonly hello: { readonly args: { readonly to?: string } };
  };
}
declare function takes(disposable: AsyncDisposable): void;
declare const server: Contracted<Weather> & MemoryServer;
declare const untyped: MemoryServer;
const options = { info: { name: 'c', version: '1' } };

export async function typed(): Promise<void> {
  const client = await connect<typeof server>({ command: 'weather' }, options);
  same<typeof client, Client<Weather>>(true);
  const result = await client.callTool('forecast', { city: 'Oslo' });
  same<typeof result.structuredContent, { readonly highs: readonly number[] } | undefined>(true);
  same<typeof result.isError, boolean>(true);
  await client.callTool('forecast', { city: 'Oslo', days: 3 }, { timeout: 1 });
  await client.callTool('reset');
  const said = await client.callTool('said');
  same<typeof said.structuredContent, UntypedOutput | undefined>(true);
  await createCompleter(client).complete({
    ref: { type: 'ref/prompt', name: 'brief' },
    argument: { name: 'city', value: '' },
  });
  await client.callTool('reset', { hard: true });
  // @ts-expect-error the city is missing
  await client.callTool('forecast', {});
  // @ts-expect-error arguments are missing
  await client.callTool('forecast');
  // @ts-expect-error a city is a string
  await client.callTool('forecast', { city: 1 });
  // @ts-expect-error there is no such tool
  await client.callTool('forcast', { city: 'Oslo' });
  await client.getPrompt('brief', { city: 'Oslo' });
  await client.getPrompt('hello');
  // @ts-expect-error the city is missing
  await client.getPrompt('brief');
  // @ts-expect-error there is no such prompt
  await client.getPrompt('bye');
}

declare const some: 'forecast' | 'hourly';
declare const unknownName: string;

interface Hours {
  readonly tools: Weather['tools'] & {
    readonly hourly: {
      readonly input: { readonly city: string };
      readonly output: { readonly hours: number };
    };
  };
  readonly prompts: object;
}

/** A name may be one of several, or a parameter of a function that calls any tool. */
export async function named<N extends ToolName<Hours>>(
  client: Client<Hours>,
  name: N,
  ...rest: CallArguments<ToolInput<Hours, N>>
): Promise<ToolResult<ToolOutput<Hours, N>>> {
  const { structuredContent } = await client.callTool(some, { city: 'Oslo' });
  if (structuredContent !== undefined && 'hours' in structuredContent)
    same<typeof structuredContent.hours, number>(true);
  // @ts-expect-error a name that is not known when the program is compiled
  await client.callTool(unknownName, { city: 'Oslo' });
  return client.callTool(name, ...rest);
}

export async function open(): Promise<void> {
  const client = await connect({ command: 'anything' }, options);
  same<typeof client, Client>(true);
  const result = await client.callTool('whatever', { a: 1 });
  await client.callTool('whatever');
  same<typeof result.structuredContent, UntypedOutput | undefined>(true);
  const { sum, rows } = result.structuredContent ?? {};
  if (typeof sum === 'number') same<typeof sum, number>(true);
  const row = Array.isArray(rows) ? rows[0] : undefined;
  same<typeof row, UntypedValue | undefined>(true);
  if (typeof row === 'object' && row !== null && !Array.isArray(row))
    same<typeof row.name, UntypedValue | undefined>(true);
  // @ts-expect-error a member has any type until it is checked
  sum?.toFixed();
  await client.getPrompt('whatever', { a: 'b' });
  // @ts-expect-error arguments of prompts are strings
  await client.getPrompt('whatever', { a: 1 });
  const [tools, read] = client.batch([
    { method: 'tools/list', params: {} },
    { method: 'resources/read', params: { uri: 'a:b' } },
  ]);
  same<(typeof tools extends Promise<infer R> ? R : never)['tools'][number]['name'], string>(true);
  same<(typeof read extends Promise<infer R> ? R : never)['contents'] extends readonly unknown[] ? 1 : 2, 1>(
    true,
  );
  // @ts-expect-error a resource is named by a URI
  await client.request('resources/read', { name: 'a' });
  const list = await client.request('tools/list', {});
  same<typeof list.tools, readonly Tool[]>(true);
}

export async function inMemory(): Promise<void> {
  same<Awaited<ReturnType<typeof connectMemory<typeof server>>>, Client<Weather>>(true);
  const client = await connectMemory(server, options);
  same<typeof client, Client<Weather>>(true);
  same<Awaited<ReturnType<typeof connectMemory<typeof untyped>>>, Client>(true);
}

export async function targets(): Promise<void> {
  const settings: ConnectOptions = options;
  await connect('https://a.example', settings);
  // @ts-expect-error a client must introduce itself
  await connect({ command: 'x' }, {});
  await connect('https://a.example', options);
  same<Awaited<ReturnType<typeof connect<typeof server>>>, Client<Weather>>(true);
  await connect<typeof server>(new URL('https://a.example'), { ...options, headers: { authorization: 'x' } });
  await connect('https://a.example', { ...options, headers: async () => ({ authorization: 'x' }), fetch });
  // @ts-expect-error a header is text
  await connect('https://a.example', { ...options, headers: { 'x-count': 1 } });
  // @ts-expect-error revisions are named by text
  await connect({ command: 'x' }, { ...options, revision: revision20260728 });
  await using client = await connect({ command: 'x' }, options);
  takes(client);
}

export async function extended(): Promise<void> {
  const poll = defineMethod('acme/poll');
  const extension = defineExtension({
    id: 'com.example/review',
    settings: ({ lifecycle }) => (lifecycle === 'stateless' ? { push: true } : undefined),
    methods: [serve(poll, (params) => ({ ...params }))],
    notifications: [listen(defineNotification('notifications/acme/x'), (_params, { settings }) => settings)],
    resultTypes: [
      {
        type: 'review',
        async settle(_result, { client, options }) {
          const answer = await client.request(poll, {}, { signal: options.signal });
          same<typeof answer, UnknownObject>(true);
          return { content: [] };
        },
      },
    ],
  });
  same<typeof extension, ClientExtension<'com.example/review'>>(true);
  const client = await connect({ command: 'x' }, { ...options, extensions: [extension] });
  await client.watch({ filters: { reviews: ['draft'] } }, () => {});
  // @ts-expect-error extensions are an option of their own
  await connect({ command: 'x' }, { ...options, capabilities: { extensions: { 'com.example/x': {} } } });
  // @ts-expect-error settings are an object
  defineExtension({ id: 'com.example/x', settings: 3, external: true });
}

interface Reviews {
  /** Decides a review. */
  decide(ticket: string): Promise<boolean>;
}

export async function membersOfExtensions(): Promise<void> {
  const review = defineExtension({
    id: 'com.example/review',
    members: (): { readonly reviews: Reviews } => ({ reviews: { decide: async () => true } }),
  });
  same<typeof review, ClientExtension<'com.example/review', { readonly reviews: Reviews }>>(true);
  const other = defineExtension({ id: 'com.example/other', members: () => ({ others: 3 }) });
  const plain = defineExtension({ id: 'com.example/plain', external: true });
  const client = await connect('https://a.example', { ...options, extensions: [review, plain, other] });
  same<typeof client.reviews, Reviews>(true);
  same<typeof client.others, number>(true);
  const one: Client = client;
  same<ReturnType<typeof review.of>, { readonly reviews: Reviews }>(true);
  const memory = await connectMemory(server, { ...options, extensions: [review] });
  await memory.callTool('forecast', { city: 'Oslo' });
  same<Awaited<ReturnType<typeof memory.reviews.decide>>, boolean>(true);
  const bare = await connect('https://a.example', { ...options, extensions: [plain] });
  same<typeof bare, Client>(true);
  const typed = await connect<typeof server>('https://a.example', { ...options, extensions: [review] });
  same<typeof typed, Client<Weather>>(true);
  same<typeof review extends { of(client: object): { readonly reviews: Reviews } } ? 1 : 2, 1>(true);
  review.of(one);
  // @ts-expect-error members need the extension
  same<typeof one.reviews, Reviews>(false);
  // @ts-expect-error a misspelt option
  await connect('https://a.example', { ...options, extensions: [review], onElicitation: () => {} });
}
