import { describe, expect, it } from 'vitest';
import { delivered, gate, text, wireTool, withMalicious } from '../../test/malicious.js';
import type { HostOptions } from '../index.js';

const allow: HostOptions['policy'] = () => 'allow';
const calling = { server: 'evil', tool: 'run' };

describe('a flood of definitions', () => {
  it('of tools is cut at 10,000, and the good servers keep their places', async () => {
    const { host, errors, goodServersWork } = withMalicious({
      policy: allow,
      tools: Array.from({ length: 12_000 }, (_, index) => wireTool(`tool_${index}`)),
    });
    const tools = await host.tools();
    expect(tools.filter(({ server }) => server === 'evil')).toHaveLength(10_000);
    expect(tools.filter(({ server }) => server !== 'evil').map(({ name }) => name)).toEqual([
      'bank__pay',
      'notes__read',
    ]);
    expect(errors).toMatchObject([{ message: expect.stringContaining('12000 tools') }]);
    await goodServersWork();
  });

  it('of very long descriptions costs a model 10,000 characters for each tool, and is reported', async () => {
    const { host, goodServersWork } = withMalicious({
      policy: allow,
      tools: [wireTool('run', { description: 'x'.repeat(1_000_000) })],
    });
    const { tools, report } = await host.tools({ for: 'anthropic' });
    expect(tools.find(({ name }) => name === 'evil__run')?.description.length).toBeLessThanOrEqual(10_000);
    expect(report).toMatchObject([{ tool: 'evil__run', keyword: 'description' }]);
    const found = await host.run([{ id: '1', name: 'search_tools', args: { query: 'run' } }]);
    expect(JSON.stringify(found).length).toBeLessThan(2_000);
    await goodServersWork();
  });

  it('of pages without end is given up after 100 pages, and reported', async () => {
    let pages = 0;
    const { host, goodServersWork } = withMalicious({
      policy: allow,
      script: { 'tools/list': () => ({ tools: [wireTool(`t${++pages}`)], nextCursor: 'again' }) },
    });
    expect((await host.tools()).map(({ server }) => server)).toEqual(['bank', 'notes']);
    expect(pages).toBe(100);
    expect(host.servers.list()).toContainEqual(
      expect.objectContaining({ status: 'failed', error: expect.objectContaining({ reason: 'limit' }) }),
    );
    await goodServersWork();
  });

  it('of long names cannot fill the store of grants, and its tools need consent', async () => {
    const written: number[] = [];
    const documents = new Map<string, object>();
    const { host, questions, goodServersWork } = withMalicious({
      policy: allow,
      tools: Array.from({ length: 5_000 }, (_, index) => wireTool(`${index}${'x'.repeat(1_000)}`)),
      grants: {
        read: async (key) => documents.get(key) as never,
        async change(key, update) {
          const value = update(documents.get(key) as never);
          if (value !== undefined) documents.set(key, value);
          if (key.includes('evil')) written.push(JSON.stringify(value).length);
          return value;
        },
      },
    });
    const names = (await host.tools()).filter(({ server }) => server === 'evil').map(({ name }) => name);
    for (const name of names.slice(0, 3)) await host.callTool(name);
    await host.callTool(names.at(-1) ?? '');
    expect(Math.max(...written)).toBeLessThan(600_000);
    expect(questions.at(-1)).toMatchObject({ change: { kind: 'new' } });
    await goodServersWork();
  });
});

describe('a storm of announced changes', () => {
  it('has the lists read at most once a second', async () => {
    const { host, server, clock, goodServersWork } = withMalicious({ policy: allow });
    await host.tools();
    const lists = () => server.peer.paramsOf('tools/list').length;
    expect(lists()).toBe(1);
    for (let count = 0; count < 5_000; count++) server.peer.notify('notifications/tools/list_changed');
    await delivered();
    expect(lists()).toBe(1);
    await clock.advance(1_000);
    await delivered();
    expect(lists()).toBe(2);
    await goodServersWork();
  });

  it('has one reading at a time, and one more afterwards, when the lists are not answered', async () => {
    const slow = gate();
    const { host, server, clock, goodServersWork } = withMalicious({ policy: allow });
    await host.tools();
    const lists = () => server.peer.paramsOf('tools/list').length;
    const quick = server.script;
    server.script = { ...quick, 'tools/list': () => slow.opened.then(() => ({ tools: [] })) };
    for (let second = 0; second < 30; second++) {
      server.peer.notify('notifications/tools/list_changed');
      await delivered();
      await clock.advance(1_000);
    }
    expect(lists()).toBe(2);
    slow.open();
    await clock.armed(1_000);
    await clock.advance(1_000);
    await delivered();
    await clock.advance(5_000);
    await delivered();
    expect(lists()).toBe(3);
    await goodServersWork();
  });
});

describe('a flood of messages', () => {
  it('of logs and of progress is dropped, and the call is answered', async () => {
    const { host, errors, goodServersWork } = withMalicious({
      policy: allow,
      script: {
        'tools/call': (params, peer) => {
          const { progressToken } = (params._meta ?? {}) as { progressToken?: string };
          for (let count = 1; count <= 5_000; count++) {
            peer.notify('notifications/message', { level: 'error', data: 'x'.repeat(100) });
            peer.notify('notifications/progress', { progressToken, progress: count });
            peer.notify('notifications/progress', { progressToken: `other${count}`, progress: 1 });
          }
          return text('done');
        },
      },
    });
    let seen = 0;
    const result = await host.callTool(calling, {}, { onProgress: () => seen++ });
    expect(result.content).toEqual([{ type: 'text', text: 'done' }]);
    expect(seen).toBeLessThanOrEqual(5_000);
    expect(errors.length).toBeLessThan(50);
    await goodServersWork();
  });

  it('of forms is refused above 200 at once, and reported once', async () => {
    let shown = 0;
    const answer = gate();
    const { host, server, errors, goodServersWork } = withMalicious({
      policy: allow,
      onElicit: async () => {
        shown++;
        await answer.opened;
        return { action: 'decline' };
      },
    });
    await host.callTool(calling);
    const params = { message: 'Password?', requestedSchema: { type: 'object', properties: {} } };
    const answers = Array.from({ length: 3_000 }, () => server.peer.ask('elicitation/create', params));
    await delivered();
    expect(shown).toBe(200);
    expect(errors).toHaveLength(1);
    await goodServersWork();
    answer.open();
    expect((await Promise.all(answers)).filter(({ error }) => error !== undefined)).toHaveLength(2_800);
  });

  it.each(['roots/list', 'sampling/createMessage'])(
    'of %s does not take the places of good servers in the queue for consent',
    async (method) => {
      const answer = gate();
      const { host, server, goodServersWork } = withMalicious({
        policy: ({ server: of, kind }) => (kind === 'tool' && of === 'evil' ? 'allow' : 'ask'),
        roots: [{ uri: 'file:///home/ada' }],
        onSample: async () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'x' } }),
        consent: async ({ request }) => {
          if (request.server !== 'evil') return 'once';
          await answer.opened;
          return 'no';
        },
      });
      await host.callTool(calling);
      const answers = Array.from({ length: 1_000 }, () =>
        server.peer.ask(method, { messages: [], maxTokens: 1 }),
      );
      await delivered();
      const working = goodServersWork();
      await delivered();
      answer.open();
      await working;
      const refused = await Promise.all(answers);
      expect(refused.filter(({ error }) => error !== undefined)).toHaveLength(1_000);
    },
  );
});

describe('a flood of results', () => {
  it('is cut for a model, and the rest can be read in parts by its user alone', async () => {
    const { host, goodServersWork } = withMalicious({
      policy: allow,
      script: { 'tools/call': () => text('x'.repeat(3_000_000)) },
    });
    const [result] = await host.run([{ id: '1', name: 'evil__run', args: {} }], { user: 'ada' });
    const json = JSON.stringify(result?.content);
    expect(json.length).toBeLessThan(101_000);
    const uri = /tenon-result:[\w-]+/.exec(json)?.[0];
    const read = (user: string) =>
      host.run([{ id: '2', name: 'read_result', args: { uri, offset: 100_000 } }], { user });
    expect(JSON.stringify(await read('ada')).length).toBeLessThan(51_000);
    expect(await read('bob')).toMatchObject([{ isError: true }]);
    await goodServersWork();
  });

  it('keeps at most 16,777,216 characters and 200 results of a whole run', async () => {
    const { host, goodServersWork } = withMalicious({
      policy: allow,
      script: {
        'tools/call': ({ arguments: args }) => text('x'.repeat(Number((args as { size: number }).size))),
      },
    });
    const uriOf = async (size: number) => {
      const [result] = await host.run([{ id: '1', name: 'evil__run', args: { size } }]);
      return /tenon-result:[\w-]+/.exec(JSON.stringify(result?.content))?.[0];
    };
    const isKept = async (uri: string | undefined) =>
      (await host.run([{ id: '2', name: 'read_result', args: { uri } }]))[0]?.isError !== true;
    const first = await uriOf(9_000_000);
    expect(await isKept(first)).toBe(true);
    const second = await uriOf(9_000_000);
    expect([await isKept(first), await isKept(second)]).toEqual([false, true]);
    expect(await uriOf(17_000_000)).toBeUndefined();
    await goodServersWork();
  });
});
