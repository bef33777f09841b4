import type { Clock } from '@tenon/foundation';
import { revisions, type UnknownObject } from '@tenon/mcp-protocol';
import { leniencies, revision20251125 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { FakeClock, settled } from '../../../testing/src/fake-clock.js';
import { linked } from '../../test/linked.js';
import { type Script, ScriptedServer } from '../../test/scripted-server.js';
import { discoverResult, initializeResult, serverScript } from '../../test/scripts.js';
import type { Client } from '../client.js';

interface Reported {
  readonly text: string;
  readonly where: string;
}

interface Rig {
  readonly client: Client;
  readonly server: ScriptedServer;
  readonly reported: Reported[];
}

async function rig(script: Script, options: Parameters<typeof linked>[1] = {}): Promise<Rig> {
  const reported: Reported[] = [];
  const server = new ScriptedServer(script);
  const onError = (error: unknown, where: string) => reported.push({ text: (error as Error).message, where });
  const client = await linked(server, { onError, ...options });
  onTestFinished(() => client.close());
  return { client, server, reported };
}

const inputSchema = { type: 'object' };
const every = revisions.map((revision) => ({ id: revision.id, revision }));
const handshakes = every.filter(({ revision }) => revision.lifecycle === 'handshake');
const stateless = every.filter(({ revision }) => revision.lifecycle === 'stateless');

describe.each(every)('in $id', ({ revision }) => {
  const connected = (more: Script) => rig(serverScript(revision, more));
  const hints = revision.lifecycle === 'stateless' ? { ttlMs: 0, cacheScope: 'private' } : {};

  it.each<[string, UnknownObject]>([
    ['nothing', {}],
    ['structuredContent alone', { structuredContent: { rows: [1] } }],
    ['an error and metadata', { isError: true, _meta: { trace: 'x' } }],
  ])('reads a tool result of %s as one with empty content, and reports it once', async (_, result) => {
    const { client, reported } = await connected({ 'tools/call': () => result });
    for (let call = 0; call < 3; call++)
      expect(await client.callTool('x')).toEqual({ isError: false, ...result, content: [] });
    expect(reported).toEqual([
      { text: expect.stringContaining(leniencies['no-content'].departure), where: 'tools/call' },
    ]);
  });

  it.each<[string, unknown, string]>([
    ['a text', 'done', 'done'],
    ['a value', { rows: [1] }, '{"rows":[1]}'],
    ['false', false, 'false'],
  ])('reads toolResult that is %s as content, and reports it once', async (_, toolResult, text) => {
    const { client, reported } = await connected({ 'tools/call': () => ({ toolResult }) });
    for (let call = 0; call < 2; call++)
      expect(await client.callTool('x')).toEqual({
        isError: false,
        toolResult,
        content: [{ type: 'text', text }],
      });
    expect(reported).toEqual([
      { text: expect.stringContaining(leniencies['tool-result'].departure), where: 'tools/call' },
    ]);
  });

  it('reads toolResult beside content that is null', async () => {
    const { client } = await connected({ 'tools/call': () => ({ toolResult: 'done', content: null }) });
    expect((await client.callTool('x')).content).toEqual([{ type: 'text', text: 'done' }]);
  });

  it.each<[string, UnknownObject, string]>([
    ['content that is null', { content: null }, 'result.content: expected an array'],
    ['a block that is not valid', { content: [{ type: 'text' }] }, 'result.content[0].text: is required'],
    ['no content and a bad mark', { isError: 'no' }, 'result.isError: expected true or false'],
  ])('refuses a tool result with %s', async (_, result, problem) => {
    const { client, reported } = await connected({ 'tools/call': () => result });
    await expect(client.callTool('x')).rejects.toMatchObject({
      reason: 'invalid-answer',
      message: expect.stringContaining(problem),
    });
    expect(reported).toEqual([]);
  });

  it('reads null in optional members of every answer as absent, and reports it once for each method', async () => {
    const info = { name: 'scripted', version: '1', title: null, icons: null, websiteUrl: null };
    const nulls = { _meta: null, resultType: null };
    const opening = {
      capabilities: {
        tools: { listChanged: null },
        prompts: null,
        resources: [],
        logging: null,
        tasks: null,
      },
      instructions: null,
      ...nulls,
    };
    const tool = {
      name: 'a',
      title: null,
      description: '',
      annotations: null,
      outputSchema: null,
      execution: null,
    };
    const image = { type: 'image', data: '', mimeType: 'image/png', annotations: null, _meta: null };
    const structuredContent = { of: 'the tool', that: null };
    const { client, reported } = await connected({
      initialize: () => ({ protocolVersion: revision.id, serverInfo: info, ...opening }),
      'server/discover': () => ({ supportedVersions: [revision.id], ...opening, ...hints }),
      'tools/list': () => ({
        tools: [{ ...tool, inputSchema: { type: 'object', properties: [], required: null } }],
        nextCursor: null,
        ...nulls,
        ...hints,
      }),
      'tools/call': () => ({ content: [image], structuredContent, isError: null, ...nulls }),
      'resources/read': () => ({
        contents: [{ uri: 'a://b', mimeType: null, text: 'x', blob: null }],
        ...nulls,
        ...hints,
      }),
      'prompts/get': () => ({
        description: null,
        messages: [{ role: 'user', content: { type: 'text', text: 'x', annotations: { audience: null } } }],
        ...nulls,
      }),
    });
    const read = [
      client.instructions,
      client.capabilities,
      await client.tools().all(),
      await client.callTool('a'),
      await client.readResource('a://b'),
    ];
    expect(read).toEqual([
      undefined,
      { tools: {}, resources: {} },
      [{ name: 'a', description: '', inputSchema: { type: 'object', properties: {} } }],
      { content: [{ type: 'image', data: '', mimeType: 'image/png' }], structuredContent, isError: false },
      expect.objectContaining({ contents: [{ uri: 'a://b', text: 'x' }] }),
    ]);
    expect(reported.filter(({ where }) => where === 'tools/list').map(({ text }) => text)).toEqual([
      expect.stringContaining(leniencies['null-member'].departure),
      expect.stringContaining(leniencies['empty-list'].departure),
    ]);
  });

  it.each<[string, string, UnknownObject, UnknownObject, (client: Client) => Promise<unknown[]>]>([
    ['tools', 'tools/list', { name: 'good', inputSchema }, { name: 'bad' }, (client) => client.tools().all()],
    ['prompts', 'prompts/list', { name: 'good' }, { name: 7 }, (client) => client.prompts().all()],
    [
      'resources',
      'resources/list',
      { uri: 'a://b', name: 'good' },
      { uri: 'bad://b' },
      (client) => client.resources().all(),
    ],
    [
      'resourceTemplates',
      'resources/templates/list',
      { uriTemplate: 'a://{b}', name: 'good' },
      { uriTemplate: ['x'], name: 'bad' },
      (client) => client.resourceTemplates().all(),
    ],
  ])(
    'leaves a malformed one out of %s, and reports it once',
    async (...[member, method, good, bad, list]) => {
      const { client, reported } = await connected({
        [method]: () => ({ [member]: [good, bad, good], ...hints }),
      });
      expect(await list(client)).toEqual([good, good]);
      expect(await list(client)).toEqual([good, good]);
      expect(reported).toHaveLength(1);
      expect(reported[0]?.where).toBe(method);
      expect(reported[0]?.text).toContain(leniencies['malformed-item'].departure);
      expect(reported[0]?.text).toContain(`Left out of ${member}: 1 of 3: `);
    },
  );

  it.each<[string, UnknownObject, UnknownObject]>([
    ['empty', {}, { type: 'object' }],
    [
      'a union of objects',
      { anyOf: [{ type: 'object' }], $schema: 'http://json-schema.org/draft-07/schema#' },
      { type: 'object', anyOf: [{ type: 'object' }], $schema: 'http://json-schema.org/draft-07/schema#' },
    ],
  ])(
    'lists a tool with an input schema that has no type and is %s, and reports it once',
    async (_, given, read) => {
      const { client, reported } = await connected({
        'tools/list': () => ({ tools: [{ name: 'a', inputSchema: given }], ...hints }),
        'tools/call': () => ({ content: [] }),
      });
      for (let call = 0; call < 2; call++)
        expect(await client.tools().all()).toEqual([{ name: 'a', inputSchema: read }]);
      expect(await client.callTool('a')).toMatchObject({ isError: false });
      expect(reported).toEqual([
        { text: expect.stringContaining(leniencies['untyped-schema'].departure), where: 'tools/list' },
      ]);
    },
  );

  it('reads an output schema without a type as the schema of an object where it must be one', async () => {
    const outputSchema = { properties: { a: { type: 'number' } } };
    const { client } = await connected({
      'tools/list': () => ({ tools: [{ name: 'a', inputSchema, outputSchema }], ...hints }),
      'tools/call': () => ({ content: [], structuredContent: { a: 'x' } }),
    });
    expect(await client.tools().all()).toHaveLength(1);
    await expect(client.callTool('a')).rejects.toThrow('#/a: must be number');
  });

  it('names the first few of many malformed tools, cut and printable', async () => {
    const bad = Array.from({ length: 2_000 }, (_, index) => ({
      name: `\u001b[31m${index}\u0007${'x'.repeat(5_000)}`,
    }));
    const { client, reported } = await connected({
      'tools/list': () => ({ tools: [null, ...bad, { name: 'good', inputSchema }], ...hints }),
    });
    expect((await client.tools().all()).map(({ name }) => name)).toEqual(['good']);
    expect(reported).toHaveLength(1);
    expect(reported[0]?.text).toMatch(
      /Left out of tools: 2001 of 2002: one without a name \(definition: expected an object\), "0x+" \(definition\.inputSchema: is required\), .*"3x+" \([^)]+\) and 1996 more\.$/,
    );
    expect(reported[0]?.text.length).toBeLessThan(1_000);
  });

  it('reports the malformed tools of each page', async () => {
    const { client, reported } = await connected({
      'tools/list': ({ cursor }: { cursor?: string }) =>
        cursor === undefined
          ? { tools: [{ name: 'a' }], nextCursor: 'more', ...hints }
          : { tools: [{ name: 'b' }], ...hints },
    });
    expect(await client.tools().all()).toEqual([]);
    expect(await client.tools().all()).toEqual([]);
    expect(reported.map(({ text }) => /Left out of .*: "(.)"/.exec(text)?.[1])).toEqual(['a', 'b']);
  });

  it('matches an answer with the id as text, and reports it once for each method', async () => {
    const { client, server, reported } = await connected({
      'tools/call': (_, peer, id) => {
        peer.respond(String(id), { content: [] });
        return undefined;
      },
    });
    for (let call = 0; call < 3; call++) expect(await client.callTool('x')).toMatchObject({ content: [] });
    expect(server.peer.methods.filter((method) => method === 'tools/call')).toHaveLength(3);
    expect(reported).toEqual([
      { text: expect.stringContaining(leniencies['text-id'].departure), where: 'tools/call' },
    ]);
  });

  it.each(['02', '2.0', ' 2', '2 ', '0x2', '+2', '2e0', '', 'two', '-2', '9007199254740993'])(
    'matches no answer to the id %j, and reports it',
    async (id) => {
      const { client, reported } = await connected({
        'tools/call': (_, peer) => {
          peer.respond(id, { content: [] });
          return { content: [{ type: 'text', text: 'its own' }] };
        },
      });
      expect((await client.callTool('x')).content).toHaveLength(1);
      expect(reported).toEqual([{ text: expect.stringContaining(JSON.stringify(id)), where: 'response' }]);
    },
  );
});

describe('an empty cursor', () => {
  const page = ({ cursor }: { cursor?: string }) =>
    cursor === undefined
      ? { tools: [{ name: 'a', inputSchema }], nextCursor: '' }
      : { tools: [{ name: 'b', inputSchema }] };
  const lists = { 'tools/list': page } as Script;

  it.each(handshakes)('ends the list in $id, and is reported once', async ({ revision }) => {
    const { client, server, reported } = await rig(serverScript(revision, lists));
    for (let read = 0; read < 2; read++)
      expect((await client.tools().all()).map(({ name }) => name)).toEqual(['a']);
    expect(await client.tools().page()).toEqual({ items: [{ name: 'a', inputSchema }] });
    expect(server.peer.paramsOf('tools/list')).toEqual([{}, {}, {}]);
    expect(reported).toEqual([
      { text: expect.stringContaining(leniencies['empty-cursor'].departure), where: 'tools/list' },
    ]);
  });

  // https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination#implementation-guidelines
  it.each(stateless)('is a cursor like any other in $id', async ({ revision }) => {
    shows('2026-07-28/server/utilities/pagination/empty-cursor');
    const { client, reported } = await rig(serverScript(revision, lists));
    expect((await client.tools().all()).map(({ name }) => name)).toEqual(['a', 'b']);
    expect(reported).toEqual([]);
  });
});

const now = '2025-11-25T00:00:00Z';

it.each([
  ['a task', { taskId: '1', status: 'working', createdAt: now, lastUpdatedAt: now, ttl: null }],
  ['a malformed task', { taskId: '1' }],
])('%s that was not requested fails the call of a tool', async (_, task) => {
  const { client } = await rig(serverScript(revision20251125, { 'tools/call': () => ({ task }) }));
  await expect(client.callTool('x')).rejects.toMatchObject({ reason: 'invalid-answer' });
});

describe('a server that is slow to start', () => {
  const late = (clock: FakeClock, ms: number, value: UnknownObject) => () =>
    new Promise<UnknownObject>((resolve) => clock.schedule(() => resolve(value), ms));
  const modern = discoverResult(['2026-07-28', '2025-11-25']);

  it('is spoken to in the newest revision when it describes itself before it answers initialize', async () => {
    const clock = new FakeClock();
    const script = {
      'server/discover': late(clock, 9_000, modern),
      initialize: late(clock, 4_001, initializeResult('2025-11-25')),
      'tools/list': () => ({ tools: [], ttlMs: 0, cacheScope: 'private' }),
    };
    const connecting = rig(script, { clock });
    await clock.advance(9_000);
    const { client, server, reported } = await connecting;
    expect(client.revision).toBe('2026-07-28');
    await clock.advance(60_000);
    expect(await client.tools().all()).toEqual([]);
    expect(server.peer.methods).toEqual(['server/discover', 'initialize', 'tools/list']);
    expect(reported).toEqual([]);
  });

  it('is spoken to in the newest revision when both answers come at once', async () => {
    const clock = new FakeClock();
    const ids: (string | number)[] = [];
    const noted: Script[string] = (_params, peer, id) => {
      ids.push(id);
      const [discover, initialize] = ids;
      if (discover === undefined || initialize === undefined) return undefined;
      clock.schedule(() => {
        peer.respond(discover, modern);
        peer.respond(initialize, initializeResult('2025-11-25'));
      }, 4_000);
      return undefined;
    };
    const connecting = rig({ 'server/discover': noted, initialize: noted }, { clock });
    await clock.advance(10_000);
    const { client, server, reported } = await connecting;
    expect(client.revision).toBe('2026-07-28');
    await settled();
    expect(server.peer.methods).toEqual(['server/discover', 'initialize']);
    expect(reported).toEqual([]);
  });

  it('does not keep the process alive once its answer to initialize is not needed', async () => {
    let holds = false;
    const clock = new FakeClock();
    const holding: Clock = {
      now: () => clock.now(),
      schedule: (task, ms) =>
        Object.assign(clock.schedule(task, ms), {
          hold: (on: boolean) => {
            holds = on;
          },
        }),
    };
    const script = { 'server/discover': late(clock, 9_000, modern), initialize: () => undefined };
    const connecting = rig(script, { clock: holding });
    await clock.advance(9_000);
    expect((await connecting).client.revision).toBe('2026-07-28');
    expect(holds).toBe(false);
  });

  it('is waited for when it has refused initialize', async () => {
    const clock = new FakeClock();
    const connecting = rig({ 'server/discover': late(clock, 8_000, modern) }, { clock });
    await clock.advance(8_000);
    expect((await connecting).client.revision).toBe('2026-07-28');
  });

  it('is initialized when it refuses the probe late', async () => {
    const clock = new FakeClock();
    const script = { initialize: late(clock, 4_000, initializeResult('2025-06-18')) };
    const connecting = rig({ ...script, 'server/discover': late(clock, 8_000, {}) }, { clock });
    await clock.advance(10_000);
    expect((await connecting).client.revision).toBe('2025-06-18');
  });
});
