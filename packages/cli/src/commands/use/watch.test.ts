import { revisions } from '@tenon/mcp-protocol';
import { createServer, type Server } from '@tenon/mcp-server';
import { type HttpServing, serveHttp } from '@tenon/mcp-server/http';
import { sseMount } from '@tenon/mcp-server/sse';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunOptions, type RunOutcome, runTenon } from '../../../test/run-tenon.js';

let server: Server;
let serving: HttpServing;

beforeEach(async () => {
  server = createServer({ name: 'shop', version: '1.0.0' })
    .tool('sum', { description: 'Adds' }, () => '2')
    .tool('greet', { description: 'Greets' }, () => 'hello')
    .resource('note://milk', { name: 'milk' }, () => 'milk')
    .prompt('ask', {}, () => 'hello');
  serving = await serveHttp(server, { mounts: [sseMount(server)] });
});

afterEach(async () => {
  await serving.close();
  await server.close();
});

/** The address of the server, over HTTP+SSE for the first revision. */
function addressFor(id: string): readonly string[] {
  const address = [serving.url, '--revision', id];
  return id === '2024-11-05'
    ? [new URL('/sse', serving.url).href, ...address.slice(1), '--transport', 'sse']
    : address;
}

/** Runs `tenon watch --json`, and calls a function once it watches. */
async function watch(
  words: readonly string[],
  act: () => unknown,
  options: RunOptions = {},
): Promise<RunOutcome & { readonly events: readonly Record<string, unknown>[] }> {
  let begun = false;
  const outcome = await runTenon(['watch', '--json', ...words], {
    ...options,
    onStdout: (text) => {
      if (begun || !text.includes('"watching"')) return;
      begun = true;
      act();
    },
  });
  const lines = outcome.stdout.trimEnd().split('\n');
  return { ...outcome, events: lines.filter((line) => line !== '').map((line) => JSON.parse(line)) };
}

const stateless = revisions.filter(({ lifecycle }) => lifecycle === 'stateless').map(({ id }) => id);
const each = revisions.map(({ id }) => id);

describe('tenon watch', () => {
  it.each(each)('prints what changed in a list in %s', async (id) => {
    const { code, events } = await watch([...addressFor(id), '--until', '1'], () => {
      server.tool('add', { description: 'Adds' }, () => '2');
      server.removeTool('sum');
      server.removeTool('greet');
      server.tool('greet', { description: 'Greets politely' }, () => 'hello');
    });
    expect(code).toBe(0);
    expect(events[0]).toMatchObject({
      event: 'watching',
      revision: id,
      watched: ['tools', 'prompts', 'resources'],
    });
    expect(events[1]).toMatchObject({ list: 'tools', added: ['add'], removed: ['sum'], changed: ['greet'] });
  });

  it.each(each)('prints updates of a resource in %s', async (id) => {
    const { code, events } = await watch(
      [...addressFor(id), '--until', '1', '--resource', 'note://milk'],
      () => server.resourceUpdated('note://milk'),
    );
    expect(code).toBe(0);
    expect(events[1]).toMatchObject({ event: 'resource', uri: 'note://milk' });
  });

  it('prints one line of text for each event', async () => {
    const { stdout, stderr } = await runTenon(['watch', serving.url, '--until', '1'], {
      onStderr: (text) => {
        if (text.includes('Watching')) server.removeTool('sum');
      },
    });
    expect(stderr).toContain(`Watching tools, prompts, resources of ${serving.url}`);
    expect(stdout).toMatch(/^\d\d:\d\d:\d\d {2}tools {9}-sum\n$/);
  });

  it('prints log messages from a level on', async () => {
    const { events } = await watch(
      [serving.url, '--revision', '2025-11-25', '--log', 'warning', '--until', '1'],
      () => {
        server.log('info', 'not printed');
        server.log('error', { text: 'broken\u001b[2J' }, 'db');
      },
    );
    expect(events[1]).toMatchObject({ event: 'log', level: 'error', logger: 'db' });
  });

  it('prints texts of the server in one line and without control characters', async () => {
    const { stdout } = await runTenon(
      ['watch', serving.url, '--revision', '2025-11-25', '--log', 'info', '--until', '1'],
      {
        onStderr: (text) => {
          if (text.includes('Watching')) server.log('info', `\u001b[2Jfirst\nsecond ${'x'.repeat(5_000)}`);
        },
      },
    );
    expect(stdout).toMatch(/^[\d:]{8} {2}log {11}info first second x+… \(\d+ more characters\)\n$/);
  });

  it.each(stateless)('notes that log messages belong to requests in %s', async (id) => {
    const { stderr } = await watch([serving.url, '--revision', id, '--log', 'info', '--until', '1'], () =>
      server.removeTool('sum'),
    );
    expect(stderr).toContain('while they handle a request only');
  });

  it('exits with 130 after Ctrl+C', async () => {
    const interruption = new AbortController();
    const { code, stderr } = await watch([serving.url], () => interruption.abort(), {
      signal: interruption.signal,
    });
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
  });

  it('ends with 0 when the time is over', async () => {
    const { code, events } = await watch([serving.url, '--for', '0.01'], () => undefined);
    expect(code).toBe(0);
    expect(events).toHaveLength(1);
  });

  it('prints progress, tasks and other notifications as they arrive', async () => {
    const program = `
      const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
      const notify = (name, params) => send({ method: 'notifications/' + name, params });
      const answers = {
        initialize: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: { listChanged: true } },
          serverInfo: { name: 'plain', version: '1' },
        },
        'tools/list': { tools: [] },
      };
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method } = JSON.parse(line);
        if (id === undefined) return;
        const result = answers[method];
        send(result === undefined ? { id, error: { code: -32601, message: 'no' } } : { id, result });
        if (method !== 'tools/list') return;
        notify('progress', { progressToken: 7, progress: 1, total: 2, message: 'half' });
        notify('tasks/status', { taskId: 't-1', status: 'working', statusMessage: 'rendering' });
        notify('__proto__', { own: true });
      });`;
    const { code, stdout } = await runTenon(['watch', '--until', '3', '--', process.execPath, '-e', program]);
    expect(code).toBe(0);
    expect(stdout.replaceAll(/^[\d:]{8} {2}/gm, '').split('\n')).toEqual([
      'progress      1 of 2 half (token 7)',
      'task          t-1 working rendering',
      'notification  notifications/__proto__ {"own":true}',
      '',
    ]);
  });

  it('exits with 4 when a server of a command exits', async () => {
    const program = `
      process.stdin.once('data', (line) => {
        const { id, params } = JSON.parse(line);
        const { protocolVersion } = params;
        process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }) + '\\n', () => process.exit(1));
      });`;
    const { code } = await runTenon(['watch', '--json', '--', process.execPath, '-e', program]);
    expect(code).toBe(4);
  });

  it.each(['2026-07-28', '2025-11-25'])(
    'connects again and prints what changed meanwhile in %s',
    async (id) => {
      const port = Number(new URL(serving.url).port);
      const restart = async () => {
        await serving.close();
        server.removeTool('sum');
        serving = await serveHttp(server, { port });
      };
      const { code, events } = await watch([...addressFor(id), '--until', '1'], () => void restart());
      expect(code).toBe(0);
      const states = events.filter(({ event }) => event === 'state').map(({ state }) => state);
      expect(states).toContain('again');
      expect(events.at(-1)).toMatchObject({ event: 'list', list: 'tools', removed: ['sum'] });
    },
  );

  it('reads the lists at an interval', async () => {
    const { code, events } = await watch([serving.url, '--poll', '0.01', '--until', '1'], () =>
      server.removeTool('sum'),
    );
    expect(code).toBe(0);
    expect(events[1]).toMatchObject({ event: 'list', removed: ['sum'] });
  });

  it('rejects a resource when the server has no resources', async () => {
    const bare = createServer({ name: 'bare', version: '1.0.0' }).tool('sum', {}, () => '2');
    const own = await serveHttp(bare);
    const { code, stderr } = await runTenon(['watch', own.url, '--resource', 'note://milk']);
    expect(code).toBe(1);
    expect(stderr).toContain('resources');
    await own.close();
    await bare.close();
  });

  it.each([
    [['--until', '1.5'], 'whole number'],
    [['--log', 'loud'], 'It must be one of debug, info'],
    [['--for', '99999999'], 'at most'],
  ])('rejects the options %j', async (words, text) => {
    const { code, stderr } = await runTenon(['watch', serving.url, ...words]);
    expect(code).toBe(1);
    expect(stderr).toContain(text);
  });
});
