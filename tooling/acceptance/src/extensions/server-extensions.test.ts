import type { Client } from '@tenon/mcp-client';
import { type CallToolResult, createServer, defineMethod, defineNotification } from '@tenon/mcp-server';
import {
  type DetachedPorts,
  defineExtension,
  type ExtensionHost,
  listen,
  serve,
} from '@tenon/mcp-server/extension';
import { connectTest, everyRevision } from '@tenon/mcp-testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

const id = 'com.example/review';
const info = { name: 'review', version: '1' };
const status = defineMethod('review/status', { params: z.object({ of: z.string() }) });
const changed = defineNotification('notifications/review/changed', { params: z.object({ of: z.string() }) });
const seen = defineNotification('notifications/review/seen', { params: z.object({ of: z.string() }) });

/** A client without extensions that declares those a test gives it. */
async function connected(...[server, options]: Parameters<typeof connectTest>): Promise<Client> {
  const { client, close } = await connectTest(server, options);
  onTestFinished(close);
  return client as unknown as Client;
}

function review(more: Partial<Parameters<typeof defineExtension>[0]> = {}) {
  return defineExtension({
    id,
    clientDeclares: false,
    methods: [serve(status, ({ of }) => ({ of, open: true }))],
    ...more,
  } as Parameters<typeof defineExtension>[0]);
}

describe.each(everyRevision)('an extension of a server in %s', (revision) => {
  it('advertises its settings, and handles its methods', async () => {
    const client = await connected(createServer(info, { extensions: [review({ settings: { level: 2 } })] }), {
      revision,
    });
    expect(client.capabilities.extensions).toEqual({ [id]: { level: 2 } });
    expect(await client.request(status, { of: 'a' })).toEqual({ of: 'a', open: true });
  });

  it('is absent from revisions where its settings rule returns undefined', async () => {
    const offered = review({ settings: ({ lifecycle }) => (lifecycle === 'stateless' ? {} : undefined) });
    const client = await connected(createServer(info, { extensions: [offered] }), { revision });
    if (revision === '2026-07-28') {
      expect(client.capabilities.extensions).toEqual({ [id]: {} });
      return;
    }
    expect(client.capabilities.extensions).toBeUndefined();
    await expect(client.request(status, { of: 'a' })).rejects.toMatchObject({ code: -32601 });
  });

  it('rejects its methods from a client that did not declare it, before reading the params', async () => {
    const client = await connected(createServer(info, { extensions: [review({ clientDeclares: true })] }), {
      revision,
    });
    await expect(client.request(defineMethod('review/status'), {})).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [id]: {} } } },
    });
  });

  it('adds a tool option, with metadata in the list and a value that the interceptor reads', async () => {
    const levels: unknown[] = [];
    const extension = defineExtension<typeof id, { level: number }>({
      id,
      toolOptions: {
        level: {
          check: (value) => (typeof value === 'number' ? undefined : 'must be a number'),
          meta: (level) => ({ 'com.example/level': level }),
        },
      },
      interceptToolCall(call, next) {
        levels.push([call.name, call.input, call.option('level'), call.settings]);
        return next();
      },
    });
    const server = createServer(info, { extensions: [extension] })
      .tool('plain', {}, () => 'plain')
      .tool('levelled', { level: 3, input: z.object({ n: z.number() }) }, ({ n }) => `n is ${n}`);
    const client = await connected(server, { revision });
    const listed = (await client.tools().all()).map(({ _meta }) => _meta);
    expect(listed).toEqual([undefined, { 'com.example/level': 3 }]);
    expect((await client.callTool('levelled', { n: 4 })).content).toEqual([{ type: 'text', text: 'n is 4' }]);
    expect((await client.callTool('plain')).content).toEqual([{ type: 'text', text: 'plain' }]);
    expect(levels).toEqual([
      ['levelled', { n: 4 }, 3, undefined],
      ['plain', {}, undefined, undefined],
    ]);
    expect(() => server.tool('wrong', { level: 'high' as never }, () => '')).toThrow(
      'level must be a number',
    );
  });

  it('answers in place of the handler, and receives failures of the handler as results', async () => {
    const extension = defineExtension({
      id,
      async interceptToolCall(_call, next) {
        const result = (await next()) as CallToolResult;
        return { content: [{ type: 'text', text: `seen: ${JSON.stringify(result.isError ?? false)}` }] };
      },
    });
    const server = createServer(info, { extensions: [extension], onError: () => {} });
    server.tool('fails', {}, () => {
      throw new Error('secret');
    });
    const client = await connected(server, { revision });
    expect((await client.callTool('fails')).content).toEqual([{ type: 'text', text: 'seen: true' }]);
  });

  it('runs a handler detached from its request, with progress, logs and input requests', async () => {
    const reported: unknown[] = [];
    let finished: Promise<CallToolResult> | undefined;
    const ports: DetachedPorts = {
      signal: new AbortController().signal,
      progress: (progress) => reported.push(progress),
      log: ({ data }) => reported.push(data),
      input: async (key, request) => {
        reported.push([key, request.method]);
        return { action: 'accept', content: { name: 'Ada' } };
      },
    };
    const extension = defineExtension({
      id,
      interceptToolCall(call) {
        finished = call.detach(ports);
        return { content: [{ type: 'text', text: 'started' }] };
      },
    });
    const server = createServer(info, { extensions: [extension] });
    let answered = () => {};
    const afterAnswer = new Promise<void>((resolve) => {
      answered = resolve;
    });
    server.tool('long', {}, async (_input, ctx) => {
      await afterAnswer;
      ctx.progress(1, 2, 'half');
      ctx.log('info', 'working');
      const form = { message: 'Who?', schema: z.object({ name: z.string() }) };
      const asked = ctx.can('elicit') ? await ctx.elicit('who', form) : undefined;
      return asked?.action === 'accept' ? `for ${asked.content.name}` : 'for nobody';
    });
    const client = await connected(server, { revision, client: { onElicit: () => ({ action: 'decline' }) } });
    expect((await client.callTool('long')).content).toEqual([{ type: 'text', text: 'started' }]);
    answered();
    const result = await finished;
    const hasForms = revision !== '2024-11-05' && revision !== '2025-03-26';
    expect(result?.content).toEqual([{ type: 'text', text: hasForms ? 'for Ada' : 'for nobody' }]);
    const logged = revision === '2026-07-28' ? [] : ['working'];
    const asked = hasForms ? [['who', 'elicitation/create']] : [];
    expect(reported).toEqual([{ progress: 1, total: 2, message: 'half' }, ...logged, ...asked]);
  });

  it('reports its result type to a client that did not declare it, and hides it', async () => {
    const errors: unknown[] = [];
    const extension = defineExtension({
      id,
      resultTypes: ['review'],
      interceptToolCall: () => ({ resultType: 'review', ticket: 7 }),
    });
    const server = createServer(info, { extensions: [extension], onError: (error) => errors.push(error) });
    const client = await connected(
      server.tool('reviewed', {}, () => 'x'),
      { revision },
    );
    expect((await client.callTool('reviewed')).isError).toBe(true);
    expect(String(errors[0])).toContain('the client did not declare the extension');
  });

  it('registers entries, starts with the first connection and stops with the server', async () => {
    const steps: string[] = [];
    const extension = defineExtension({
      id,
      register: (entries) => entries.tool('added', { description: 'Added' }, () => 'added'),
      start: () => steps.push('start'),
      stop: () => steps.push('stop'),
    });
    const server = createServer(info, { extensions: [extension] });
    expect(steps).toEqual([]);
    const client = await connected(server, { revision });
    expect((await client.callTool('added')).content).toEqual([{ type: 'text', text: 'added' }]);
    await server.close();
    await server.close();
    expect(steps).toEqual(['start', 'stop']);
  });

  it.each(['memory', 'http'] as const)(
    'publishes notifications, and receives those of clients over %s',
    async (transport) => {
      let host: ExtensionHost | undefined;
      const received: string[] = [];
      const extension = review({
        notifications: [listen(seen, ({ of }) => received.push(of))],
        start: (given) => {
          host = given;
        },
      });
      const client = await connected(createServer(info, { extensions: [extension] }), {
        revision,
        transport,
      });
      const heard: string[] = [];
      client.onNotification(changed, ({ of }) => heard.push(of));
      await client.notify(seen, { of: 'x' });
      // After this request, the notification has arrived.
      await client.request(status, { of: 'a' });
      expect(received).toEqual(['x']);
      await host?.publish(changed, { of: 'y' });
      await client.request(status, { of: 'a' });
      // Without a session, only listen streams receive notifications.
      expect(heard).toEqual(revision === '2026-07-28' ? [] : ['y']);
      await expect(host?.publish(changed, { of: 1 } as never)).rejects.toThrow(
        'notifications/review/changed: invalid params',
      );
    },
  );

  it.each(['2024-11-05', '2025-03-26', '2025-06-18'])(
    'carries the metadata of entries in %s',
    async (revision) => {
      const _meta = { 'com.example/review': { of: 'a' } };
      const server = createServer(info, { extensions: [review()] })
        .tool('draft', { meta: _meta }, () => 'drafted')
        .tool('plain', {}, () => 'plain')
        .resource('review://a', { meta: _meta }, ({ uri }) => ({ uri, text: 'a', _meta }));
      const client = await connected(server, { revision, transport: 'memory' });
      const tools = await client.tools().all();
      expect(tools.map((tool) => tool._meta)).toEqual([_meta, undefined]);
      expect(await client.resources().all()).toEqual([expect.objectContaining({ _meta })]);
      expect((await client.readResource('review://a')).contents).toEqual([
        { uri: 'review://a', text: 'a', _meta },
      ]);
    },
  );
});

describe('an extension of a server', () => {
  it.each([
    ['two of one id', [review(), review()], /the extension "com.example\/review" is there already/],
    [
      'a result type of the core',
      [review({ resultTypes: ['complete'], interceptToolCall: (_call, next) => next() })],
      /"complete" belongs to the core/,
    ],
    [
      'a tool option of the core',
      [review({ toolOptions: { title: {} } })],
      /adds the tool option "title", which every tool has/,
    ],
    [
      'a method of the core',
      [review({ methods: [serve(defineMethod('tools/call'), () => ({}))] })],
      /belongs to the core protocol/,
    ],
  ])('is rejected with %s', (_what, extensions, message) => {
    expect(() => createServer(info, { extensions })).toThrow(message);
  });

  it('is rejected if it contributes nothing, or result types that are never returned', () => {
    expect(() => defineExtension({ id })).toThrow('advertises itself and contributes nothing');
    expect(() => defineExtension({ id, resultTypes: ['review'], start: () => {} })).toThrow(
      'resultTypes, which only interceptToolCall can return',
    );
    expect(() => defineExtension({ id, method: [] } as never)).toThrow('there is no option "method"');
  });

  it.each([
    [
      'a method without a handler',
      { methods: [{ method: status }] },
      'methods must be a list, each of what serve',
    ],
    [
      'a notification in the place of a method',
      { methods: [listen(seen, () => {})] },
      'methods must be a list',
    ],
    ['a notification without a handler', { notifications: [{ notification: seen }] }, 'each of what listen'],
    ['settings that are no object', { settings: 'yes' }, 'settings must be an object, or a function'],
    ['result types that are no texts', { resultTypes: [{}] }, 'resultTypes must be a list of texts'],
  ])('is rejected with %s', (_what, contributions, message) => {
    expect(() => defineExtension({ id, start: () => {}, ...contributions } as never)).toThrow(message);
  });

  it.each([
    ['an object that defineExtension did not return', { id, start: () => {} }],
    ['a copy of a defined extension', { ...review() }],
  ])('is rejected by createServer as %s', (_what, extension) => {
    const serve = () => createServer(info, { extensions: [review({}), extension as never] });
    expect(serve).toThrow(TypeError);
    expect(serve).toThrow(
      `createServer: extensions[1] ("${id}") was not returned by defineExtension of @tenon/mcp-server`,
    );
  });
});
