import type { ClientOptions, OpenContract } from '@tenon/mcp-client';
import type { Revision } from '@tenon/mcp-protocol';
import { RpcError, type Server, ToolError } from '@tenon/mcp-server';
import { connectTest } from '@tenon/mcp-testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { showsBy } from '../../../tooling/suite/shows.js';
import { core, extension, Gate, type TaskServer, TaskServers, without } from '../test/task-servers.js';
import { type TaskClientOptions, type TaskReference, tasks } from './client.js';
import type { DetailedTask } from './model/task.js';
import type { TasksOptions } from './server.js';

const nameForm = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
} as const;

/** A server with one tool for each case. */
function served(options: TasksOptions = {}) {
  const servers = new TaskServers();
  const gate = new Gate();
  const stopped: unknown[] = [];
  const register = (server: TaskServer) =>
    server
      .tool('plain', {}, () => 'plain')
      .tool('quick', { task: 'allow' }, () => 'quick')
      .tool('job', { task: 'always' }, async (_, ctx) => {
        ctx.signal.addEventListener('abort', () => stopped.push('job'));
        await ctx.progress(1, 2, 'half');
        await gate.passed;
        return 'job';
      })
      .tool('failing', { task: 'always' }, () => {
        throw new ToolError('The disk is full.');
      })
      .tool('broken', { task: 'always' }, () => {
        throw new RpcError(-31950, 'The quota is used up.', { data: { quota: 5 } });
      })
      .tool('ask', {}, async (_, ctx) => {
        const { content } = await ctx.elicit('name', { message: 'Your name?', schema: nameForm });
        const poem = await ctx.sample('poem', {
          messages: [{ role: 'user', content: { type: 'text', text: `A poem for ${content?.name}` } }],
          maxTokens: 100,
        });
        return JSON.stringify(poem.content);
      })
      .tool('greet', { task: 'always' }, async (_, ctx) => {
        const answer = await ctx.elicit('name', { message: 'Your name?', schema: nameForm });
        return `Hello, ${answer.content?.name}`;
      });
  const { server } = servers.open(options);
  register(server);
  return { servers, server, gate, stopped };
}

interface Setting extends Partial<Omit<ClientOptions, 'extensions'>> {
  readonly transport: 'memory' | 'http';
  readonly options?: TaskClientOptions;
}

/** Connects a client with tasks, and passes time until a call ends. */
async function connected(given: ReturnType<typeof served>, revision: Revision, setting: Setting) {
  const { transport, options, ...more } = setting;
  const { clock } = given.servers;
  const seen: [DetailedTask, TaskReference][] = [];
  const onTask = (task: DetailedTask, reference: TaskReference) => seen.push([task, reference]);
  const own = tasks({ onTask, ...options });
  const connection = await connectTest(given.server as unknown as Server<OpenContract>, {
    transport,
    revision: revision.id,
    // Time passes faster than transports deliver.
    client: { clock, extensions: [own], limits: { requestTimeout: 1e9, requestTotal: 1e9 }, ...more },
  });
  onTestFinished(() => connection.close());
  const { client, frames } = connection;
  const until = async <T>(call: Promise<T>): Promise<T> => {
    let over = false;
    const settled = call.finally(() => {
      over = true;
    });
    settled.catch(() => {});
    onTestFinished(() => {
      over = true;
    });
    // Transports and code that loads need turns of the event loop, and both ends their timers.
    for (let turn = 0; !over; turn++) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      await clock.advance(turn % 50 === 49 ? 100 : 0);
    }
    return settled;
  };
  const sent = (method: string) =>
    frames.filter(
      ({ from, message }) => from === 'client' && (message as { method?: string }).method === method,
    );
  return { client, tasks: own.of(client).tasks, seen, until, sent, frames, clock };
}

const text = (value: string) => ({ content: [{ type: 'text', text: value }], isError: false });

describe.each(['memory', 'http'] as const)('our client and our server over %s', (transport) => {
  describe.each([core, extension])('with tasks in $id', (revision) => {
    it('run tools of each kind', async () => {
      showsBy(revision.id, {
        '2025-11-25': ['2025-11-25-tasks/tasks/required-augmented'],
        '2026-07-28': ['ext-tasks/tasks/either-answer'],
      });
      const given = served();
      const { client, until, seen } = await connected(given, revision, { transport });
      await client.tools().all();
      expect(await until(client.callTool('plain'))).toMatchObject(text('plain'));
      expect(await until(client.callTool('quick'))).toMatchObject(text('quick'));
      expect(seen).toEqual([]);
      const job = client.callTool('job');
      given.gate.open();
      expect(await until(job)).toMatchObject(text('job'));
      expect(seen.at(0)?.[0].status).toBe('working');
      expect(seen.at(-1)?.[0].status).toBe('completed');
      expect(await until(client.callTool('failing'))).toMatchObject({ isError: true });
      await expect(until(client.callTool('broken'))).rejects.toMatchObject({
        name: 'RemoteError',
        ...{ code: -31950, peerMessage: 'The quota is used up.', data: { quota: 5 } },
      });
    });

    it('run a tool that was not listed', async () => {
      const given = served();
      const { client, until } = await connected(given, revision, { transport });
      given.gate.open();
      expect(await until(client.callTool('job'))).toMatchObject(text('job'));
    });

    it('provide the input of a task', async () => {
      showsBy(revision.id, {
        '2025-11-25': ['2025-11-25-tasks/tasks/input-complete'],
        '2026-07-28': ['ext-tasks/tasks/input-provided', 'ext-tasks/tasks/input-as-requests'],
      });
      const onElicit = () => ({ action: 'accept', content: { name: 'Ada' } }) as const;
      const { client, until, seen } = await connected(served(), revision, { transport, onElicit });
      await client.tools().all();
      expect(await until(client.callTool('greet'))).toMatchObject(text('Hello, Ada'));
      expect(seen.map(([{ status }]) => status)).toContain('input_required');
    });

    it('run input requests of the server as tasks of the client, in 2025-11-25', async () => {
      showsBy(revision.id, {
        '2025-11-25': ['2025-11-25-tasks/tasks/result-exact', '2025-11-25-tasks/tasks/ttl-requested'],
        '2026-07-28': [],
      });
      const given = served({ inputAsTasks: { ttl: 5_000 } });
      const { client, until, frames } = await connected(given, revision, {
        transport,
        onElicit: () => ({ action: 'accept', content: { name: 'Ada' } }),
        onSample: ({ messages: [message] }) => ({
          role: 'assistant',
          model: 'm',
          content: [message?.content].flat()[0] as never,
        }),
      });
      const { content } = await until(client.callTool('ask'));
      expect(content).toMatchObject([{ text: '{"type":"text","text":"A poem for Ada"}' }]);
      const requests = frames.flatMap(({ from, message }) => {
        const { method, params } = message as { method?: string; params?: { task?: unknown } };
        return from === 'server' && params !== undefined && method !== undefined
          ? [[method, params.task]]
          : [];
      });
      const task = { ttl: 5_000 };
      expect(requests).toEqual(
        revision === core
          ? [
              ['elicitation/create', task],
              ['tasks/result', undefined],
              ['sampling/createMessage', task],
              ['tasks/result', undefined],
            ]
          : [],
      );
    });

    it('provide the input of a task, as a task of the client where it has some', async () => {
      const onElicit = () => ({ action: 'accept', content: { name: 'Ada' } }) as const;
      const given = served({ inputAsTasks: true });
      const { client, until } = await connected(given, revision, { transport, onElicit });
      await client.tools().all();
      expect(await until(client.callTool('greet'))).toMatchObject(text('Hello, Ada'));
      expect(given.servers.errors).toEqual([]);
    });

    it('cancel a task when its call is cancelled', async () => {
      const given = served();
      const { client, until, seen, sent, tasks: own } = await connected(given, revision, { transport });
      await client.tools().all();
      const stop = new AbortController();
      const call = client.callTool('job', {}, { signal: stop.signal });
      call.catch(() => {});
      await until(begun(seen));
      stop.abort('enough');
      await expect(until(call)).rejects.toMatchObject({ reason: 'cancelled' });
      const reference = seen[0]?.[1] as TaskReference;
      const ended = async () => {
        while ((await own.get(reference)).status !== 'cancelled');
      };
      await until(ended());
      expect(given.stopped).toEqual(['job']);
      expect(sent('tasks/cancel')).toHaveLength(1);
    });

    it('resume a task of another client', async () => {
      showsBy(revision.id, {
        '2025-11-25': ['2025-11-25-tasks/tasks/requestor-track'],
        '2026-07-28': ['ext-tasks/tasks/ids-persisted'],
      });
      const given = served();
      const first = await connected(given, revision, { transport });
      await first.client.tools().all();
      const call = first.client.callTool('job');
      call.catch(() => {});
      await first.until(begun(first.seen));
      await first.until(first.client.close());
      await expect(call).rejects.toMatchObject({ reason: 'closed' });
      const stored = JSON.parse(JSON.stringify(first.seen[0]?.[1]));
      const second = await connected(given, revision, { transport });
      // Each connection of a test over HTTP has a port of its own.
      const { endpoint } = await second.tasks.reference(stored.taskId, stored.call);
      const resumed = second.tasks.resume({ ...stored, endpoint });
      given.gate.open();
      expect(await second.until(resumed)).toMatchObject(text('job'));
    });
  });

  it('stop the handler of an input request that runs as a task when its call is cancelled', async () => {
    const signals: AbortSignal[] = [];
    const { client, until, frames } = await connected(served({ inputAsTasks: true }), core, {
      transport,
      onElicit: (_params, { signal }) => {
        signals.push(signal);
        return new Promise(() => {});
      },
    });
    const stop = new AbortController();
    const call = client.callTool('ask', {}, { signal: stop.signal });
    call.catch(() => {});
    await until(begun(signals));
    stop.abort();
    const [signal] = signals;
    await until(new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve())));
    await expect(call).rejects.toMatchObject({ reason: 'cancelled' });
    const methods = frames.map(({ from, message }) => [from, (message as { method?: string }).method]);
    expect(methods).toContainEqual(['server', 'tasks/cancel']);
  });

  it.each(without)('run tasks as calls in $id', async (revision) => {
    const given = served();
    const { client, until } = await connected(given, revision, { transport });
    await client.tools().all();
    given.gate.open();
    expect(await until(client.callTool('job'))).toMatchObject({ content: text('job').content });
  });
});

async function begun(seen: readonly unknown[]): Promise<void> {
  while (seen.length === 0) await new Promise<void>((resolve) => setImmediate(resolve));
}
