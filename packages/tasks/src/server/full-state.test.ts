import { otherBounds } from '@tenon/foundation';
import { StateError } from '@tenon/mcp-state';
import type { FakeClock } from '@tenon/mcp-testing';
import { describe, expect, it, vi } from 'vitest';
import type { Json, Peer } from '../../test/peers.js';
import {
  begin,
  connectPeer,
  Events,
  extension,
  Gate,
  TaskServers,
  turn,
  until,
} from '../../test/task-servers.js';

const space = 20_000;

/** Two processes with a state of so many bytes, and a tool that returns a text of 5,000 characters. */
async function served() {
  const servers = new TaskServers({ bytes: space });
  const gate = new Gate();
  const runs = new Events<string>();
  const open = async (name: string, clock?: FakeClock) => {
    const opened = servers.open({}, clock && { clock });
    opened.server
      .tool('work', { task: 'always' }, async () => {
        runs.push(name);
        await gate.passed;
        return 'r'.repeat(5_000);
      })
      .tool('steps', { task: 'always' }, async (_, ctx) => {
        await gate.passed;
        return ctx.once('step', () => `step ${runs.all.length}`);
      });
    return { ...opened, peer: await connectPeer(opened.server, extension) };
  };
  const { kv } = servers.memory.open();
  /** Leaves so many bytes of the state free. */
  const fill = async (left: number) => {
    for (let size = space; size > 0; size -= 100) {
      const isIn = await kv.put('filler/one', 'x'.repeat(size)).then(
        () => true,
        () => false,
      );
      if (!isIn) continue;
      await kv.put('filler/one', 'x'.repeat(Math.max(1, size - left)));
      return;
    }
  };
  const empty = () => kv.delete('filler/one');
  return { servers, clock: servers.clock, gate, runs, open, kv, fill, empty };
}

interface Polled {
  readonly task: Json;
  readonly seconds: number;
}

/** Requests a task each second, for so many seconds. @returns the task as the last answer has it. */
async function poll({ clock }: TaskServers, peers: readonly Peer[], { task: { taskId }, seconds }: Polled) {
  let last: Json | undefined;
  for (let second = 0; second < seconds; second++) {
    for (const peer of peers) last = (await peer.request('tasks/get', { taskId })).result;
    await turn();
    await clock.advance(1_000);
  }
  return last;
}

describe('a handler that returns while the state is full', () => {
  it('does not run again, and its result is written when the state has space', async () => {
    const { servers, clock, gate, runs, open, fill, empty } = await served();
    const [one, two] = [await open('one'), await open('two')];
    const task = await begin(one.peer, 'work');
    await fill(200);
    gate.open();
    await poll(servers, [one.peer, two.peer], { task, seconds: 25 });
    await empty();
    await clock.advance(5_000);
    const ended = await until(two.peer, task, 'completed');
    expect(ended.result?.content?.[0]?.text).toHaveLength(5_000);
    expect(runs.all).toEqual(['one']);
  });

  it('does not run again, and its task fails when the result does not fit for long', async () => {
    const { servers, gate, runs, open, fill } = await served();
    const [one, two] = [await open('one'), await open('two')];
    const task = await begin(one.peer, 'work');
    await fill(200);
    gate.open();
    const last = await poll(servers, [one.peer, two.peer], { task, seconds: 75 });
    expect(last).toMatchObject({
      status: 'failed',
      error: { code: -32603, message: expect.stringContaining('does not fit into the state') },
    });
    expect(runs.all).toEqual(['one']);
    expect(servers.errors.length).toBeLessThan(3);
  });

  it('does not run again while the state accepts no write at all, as Redis at its maxmemory', async () => {
    const { servers, clock, gate, runs, open, kv } = await served();
    const [one, two] = [await open('one'), await open('two')];
    const task = await begin(one.peer, 'work');
    const full = new StateError('full', 'State: it is full.');
    const write = vi.spyOn(kv, 'compareAndSet').mockRejectedValue(full);
    gate.open();
    expect(await poll(servers, [one.peer, two.peer], { task, seconds: 75 })).toMatchObject({
      status: 'working',
    });
    write.mockRestore();
    await clock.advance(5_000);
    expect(await until(two.peer, task, 'failed')).toMatchObject({ error: { code: -32603 } });
    expect(runs.all).toEqual(['one']);
  });

  it('is forgotten when the time of its task is over', async () => {
    const { servers, clock, gate, open, kv } = await served();
    const { peer } = await open('one');
    const task = await begin(peer, 'work');
    vi.spyOn(kv, 'compareAndSet').mockRejectedValue(new StateError('full', 'State: it is full.'));
    gate.open();
    await clock.advance(3_605_000);
    expect((await peer.request('tasks/get', { taskId: task.taskId })).error?.code).toBe(-32602);
    expect(await servers.memory.open().leases.acquire(`task/${task.taskId}`, 1_000)).toBeDefined();
  });

  it('leaves an error, when its process closes', async () => {
    const { servers, gate, runs, open, fill } = await served();
    const [one, two] = [await open('one'), await open('two')];
    const task = await begin(one.peer, 'work');
    await fill(200);
    gate.open();
    await poll(servers, [one.peer], { task, seconds: 2 });
    await one.server.close();
    expect(await until(two.peer, task, 'failed')).toMatchObject({
      error: { message: expect.stringContaining('the server closed') },
    });
    expect(runs.all).toEqual(['one']);
  });
});

describe('a handler that returns while the state cannot be reached', () => {
  it('does not run again in its process', async () => {
    const { servers, gate, runs, open } = await served();
    const { peer } = await open('one');
    const task = await begin(peer, 'work');
    servers.memory.interrupt();
    gate.open();
    await poll(servers, [peer], { task, seconds: 75 });
    servers.memory.restore();
    await poll(servers, [peer], { task, seconds: 6 });
    expect((await until(peer, task, 'completed')).result?.content?.[0]?.text).toHaveLength(5_000);
    expect(runs.all).toEqual(['one']);
  });

  it('does not remember more results than a process may', async () => {
    const servers = new TaskServers();
    const gate = new Gate();
    const { server } = servers.open({ limits: otherBounds({ recordSize: 4_194_304 }) });
    server.tool('large', { task: 'always' }, async () => {
      await gate.passed;
      return 'r'.repeat(4_190_000);
    });
    const peer = await connectPeer(server, extension);
    const made: Json[] = [];
    for (let count = 0; count < 9; count++) made.push(await begin(peer, 'large'));
    servers.memory.interrupt();
    gate.open();
    await turn();
    servers.memory.restore();
    await servers.clock.advance(10_000);
    const ended = await Promise.all(
      made.map((task) => until(peer, task, ({ status }) => `${status}` !== 'working')),
    );
    expect(ended.map(({ status }) => `${status}`).sort()).toEqual([...Array(8).fill('completed'), 'failed']);
  });
});

describe('a caller that has used up its share of the state', () => {
  const quota = () => new StateError('quota', 'State: the caller has used up its share.');

  it('receives a clear error for a new task', async () => {
    const { open, kv } = await served();
    const { peer } = await open('one');
    vi.spyOn(kv, 'compareAndSet').mockRejectedValueOnce(quota());
    const { error } = await peer.request('tools/call', { name: 'work', arguments: {} });
    expect(error).toMatchObject({
      code: -31004,
      message: expect.stringContaining('its share of the state'),
      data: { retryAfterMs: 10_000 },
    });
    expect((await peer.request('tools/call', { name: 'work', arguments: {} })).error).toBeUndefined();
  });

  it('receives an error in place of a result that does not fit, at once', async () => {
    const { gate, open, kv } = await served();
    const { peer } = await open('one');
    const task = await begin(peer, 'work');
    vi.spyOn(kv, 'compareAndSet').mockRejectedValueOnce(quota());
    gate.open();
    expect(await until(peer, task, 'failed')).toMatchObject({
      error: { code: -32603, message: expect.stringContaining('the caller has used up its share') },
    });
  });

  it('receives the error of a step that does not fit, at once', async () => {
    const { gate, open, kv } = await served();
    const { peer } = await open('one');
    const task = await begin(peer, 'steps');
    vi.spyOn(kv, 'compareAndSet').mockRejectedValueOnce(quota());
    gate.open();
    expect(await until(peer, task, 'failed')).toMatchObject({
      error: { code: -31004, message: expect.stringContaining('its share of the state') },
    });
  });
});
