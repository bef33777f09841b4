import { SpanKind } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-node';
import { revisions } from '@tenon/mcp-protocol';
import { createServer } from '@tenon/mcp-server';
import { SharedMemory } from '@tenon/mcp-state/internal';
import { type TaskMembers, tasks as clientTasks } from '@tenon/mcp-tasks/client';
import { tasks as serverTasks } from '@tenon/mcp-tasks/server';
import { connectTest, FakeClock } from '@tenon/mcp-testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { linksOf, Telemetry } from '../test/telemetry.js';
import { otel as clientOtel } from './client.js';
import type { OtelOptions } from './options.js';
import { otel as serverOtel } from './server.js';

const withTasks = revisions.filter(({ rules, lifecycle }) => rules.tasks || lifecycle === 'stateless');

/** A process of a server with a task, which ends when the promise is resolved. */
function process(
  shared: { memory: SharedMemory; clock: FakeClock },
  options: OtelOptions,
  end: Promise<void>,
) {
  const { memory, clock } = shared;
  const state = memory.open();
  const extensions = [serverOtel(options), serverTasks()] as const;
  const server = createServer(
    { name: 'jobs', version: '1' },
    { state, clock, extensions, onError: () => {} },
  ).tool('work', { task: 'always' }, async () => {
    await end;
    return 'done';
  });
  onTestFinished(async () => {
    const closed = server.close();
    await clock.advance(120_000);
    await closed;
  });
  return { server, state };
}

describe.each(withTasks)('the work of a task in $id', ({ id: revision }) => {
  /** Connects a client with tasks. */
  async function connect(server: Parameters<typeof connectTest>[0], options?: OtelOptions) {
    const extensions = [clientTasks(), ...(options === undefined ? [] : [clientOtel(options)])];
    const connection = await connectTest(server, { revision, client: { extensions } });
    onTestFinished(() => connection.close());
    return connection;
  }

  it('is a root that is linked to the call, which has ended', async () => {
    const telemetry = new Telemetry();
    const options = telemetry.options({ withoutSpans: ['tasks/get'] });
    const clock = new FakeClock();
    const { server } = process({ memory: new SharedMemory({ clock }), clock }, options, Promise.resolve());
    const { client } = await connect(server, options);
    await client.tools().all();
    await client.callTool('work' as never);
    const work = telemetry.span(SpanKind.INTERNAL, 'task work');
    const created = telemetry.span(SpanKind.SERVER, 'tools/call work');
    expect(work.parentSpanContext).toBeUndefined();
    expect(work.spanContext().traceId).not.toBe(created.spanContext().traceId);
    expect(linksOf(work)).toEqual([['call', created.spanContext().spanId]]);
    expect(work.attributes).toEqual({ 'gen_ai.tool.name': 'work' });
    expect(telemetry.spans.map(({ name }) => name)).not.toContain('tasks/get');
  });

  it('is linked to the call also in a process that continues it, and for a client without traces', async () => {
    const [first, second] = [new Telemetry(), new Telemetry()];
    const clock = new FakeClock();
    const memory = new SharedMemory({ clock });
    const never = new Promise<void>(() => {});
    // The clock of the first process does not move: it renews no lease.
    const one = process({ memory, clock: new FakeClock() }, first.options(), never);
    const two = process({ memory, clock }, second.options(), Promise.resolve());
    const { client, frames } = await connect(one.server);
    await client.tools().all();
    client.callTool('work' as never).catch(() => {});
    const taskId = await found(() => /"taskId":"([^"]+)"/.exec(JSON.stringify(frames))?.[1]);
    await one.state.close();
    await clock.advance(15_001);
    const other = await connect(two.server);
    const { tasks } = clientTasksOf(other.client);
    const reference = await tasks.reference(taskId, { name: 'work' });
    const work = await found<ReadableSpan>(async () => {
      await tasks.get(reference);
      return second.spans.find(({ name }) => name === 'task work');
    });
    const created = first.span(SpanKind.SERVER, 'tools/call work');
    expect(linksOf(work)).toEqual([['call', created.spanContext().spanId]]);
    expect(work.parentSpanContext).toBeUndefined();
    // The work is no request: there is no second span of one.
    expect(second.spans.map(({ name }) => name)).not.toContain('tools/call work');
  });
});

function clientTasksOf(client: object): TaskMembers {
  return client as unknown as TaskMembers;
}

/** Looks until there is something, a turn of the event loop after the other. */
async function found<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (let turn = 0; turn < 20_000; turn++) {
    const value = await look();
    if (value !== undefined) return value;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error('not found');
}
