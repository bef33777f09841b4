import { otherBounds } from '@tenon/foundation';
import { FakeClock } from '@tenon/mcp-testing';
import { describe, expect, it, vi } from 'vitest';
import type { Json, Peer } from '../../test/peers.js';
import {
  begin,
  connectPeer,
  core,
  extension,
  Gate,
  type TaskServer,
  TaskServers,
  turn,
} from '../../test/task-servers.js';
import type { TasksOptions } from './task-settings.js';

const ada = { principal: { id: 'ada' } };

/** Processes with the same state, and tools with tasks that end when the gate opens. */
function served(options: TasksOptions = {}) {
  const servers = new TaskServers();
  const gate = new Gate();
  const open = (): TaskServer => {
    const { server } = servers.open(options);
    const work = async () => {
      await gate.passed;
      return 'done';
    };
    const input = { type: 'object', properties: { text: { type: 'string' } } } as const;
    return server
      .tool('work', { task: { support: 'always', ttl: 60_000 }, input }, work)
      .tool('short', { task: { support: 'always', ttl: 5_000 } }, work);
  };
  return { servers, clock: servers.clock, gate, open };
}

const make = (peer: Peer, more: object = {}) =>
  peer.request('tools/call', {
    name: 'work',
    arguments: {},
    ...(peer.revision === core && { task: {} }),
    ...more,
  });

/** Moves the clock until a promise settles: attempts of several processes to write wait for each other. */
async function passing<T>(clock: FakeClock, work: Promise<T>): Promise<T> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  work.then(over, over);
  while (!isOver) {
    await clock.advance(10);
    await turn();
  }
  return work;
}

const idsOf = async (peer: Peer): Promise<readonly Json[]> => {
  const ids: Json[] = [];
  for (let cursor: Json | undefined; ; ) {
    const { result } = await peer.request('tasks/list', { ...(cursor && { cursor }) });
    ids.push(...((result?.tasks ?? []) as readonly Json[]).map(({ taskId }) => taskId as Json));
    cursor = result?.nextCursor;
    if (cursor === undefined) return ids;
  }
};

/** Makes the answer to each read of the state take a turn of the event loop, as over a network. */
function distant({ memory }: TaskServers): void {
  const { kv } = memory.open();
  const { get } = kv;
  vi.spyOn(kv, 'get').mockImplementation(async (key) => {
    const found = await get(key);
    await turn();
    return found;
  });
}

describe('tasks that are made at once', () => {
  it('are all accepted from one caller', async () => {
    const { servers, open } = served({ limits: { running: 2_000 } });
    distant(servers);
    const server = open();
    const peers = await Promise.all(Array.from({ length: 10 }, () => connectPeer(server, extension)));
    const answers = await Promise.all(peers.flatMap((peer) => Array.from({ length: 30 }, () => make(peer))));
    expect(answers.filter(({ error }) => error !== undefined)).toEqual([]);
  });

  it('are all in the list of their caller when several processes make them', async () => {
    const { servers, clock, open } = served();
    distant(servers);
    const peers = await Promise.all([open(), open(), open()].map((server) => connectPeer(server, core, ada)));
    const made = peers.flatMap((peer) => Array.from({ length: 20 }, () => make(peer)));
    const answers = await passing(clock, Promise.all(made));
    const ids = answers.map(({ result }) => result?.task?.taskId);
    expect(new Set(await idsOf(peers[0] as Peer))).toEqual(new Set(ids));
    expect(ids).toHaveLength(60);
  });
});

describe('the list of a caller', () => {
  it('has a task until its time is over, also after a shorter one was made', async () => {
    const { clock, open } = served({ limits: { perCaller: 2 } });
    const peer = await connectPeer(open(), core, ada);
    const { taskId } = await begin(peer, 'work');
    await begin(peer, 'short');
    await clock.advance(10_000);
    expect(await idsOf(peer)).toEqual([taskId]);
    await begin(peer, 'work');
    expect((await make(peer)).error).toMatchObject({ code: -31001 });
  });

  it('does not count a task that was not made', async () => {
    const { open } = served({ limits: { perCaller: 1, ...otherBounds({ recordSize: 2_000 }) } });
    const peer = await connectPeer(open(), core, ada);
    const large = await make(peer, { arguments: { text: 'x'.repeat(2_000) } });
    expect(large.error).toMatchObject({ code: -32602 });
    expect((await make(peer)).error).toBeUndefined();
  });

  it('is that of the address for callers without a principal, in each of their sessions', async () => {
    const { open } = served({ limits: { perCaller: 1 } });
    const server = open();
    const one = await connectPeer(server, core, { transport: 'HTTP' });
    const two = await connectPeer(server, core, { transport: 'HTTP' });
    const { taskId } = await begin(one, 'work');
    expect((await make(two)).error).toMatchObject({ code: -31001 });
    expect(await idsOf(one)).toEqual([taskId]);
    expect(await idsOf(two)).toEqual([]);
  });
});

describe('the tasks that run', () => {
  it('are at most a quarter of those of a process for one caller', async () => {
    const { open, gate } = served({ limits: { running: 8 } });
    const server = open();
    const peer = await connectPeer(server, extension, ada);
    const tasks = [await begin(peer, 'work'), await begin(peer, 'work')];
    expect((await make(peer)).error).toMatchObject({
      code: -31001,
      message: 'The server runs 2 tasks of this caller already: call the tool "work" again later.',
    });
    const bob = await connectPeer(server, extension, { principal: { id: 'bob' } });
    await begin(bob, 'work');
    gate.open();
    for (const { taskId } of tasks) {
      let status: unknown;
      while (status !== 'completed') status = (await peer.request('tasks/get', { taskId })).result?.status;
    }
    expect((await make(peer)).error).toBeUndefined();
  });

  it('are counted by address for callers without a principal, in each of their sessions', async () => {
    const { open } = served({ limits: { running: 4 } });
    const server = open();
    await begin(await connectPeer(server, core, { transport: 'HTTP' }), 'work');
    const other = await connectPeer(server, core, { transport: 'HTTP' });
    expect((await make(other)).error).toMatchObject({ code: -31001 });
  });

  it('of a caller are not taken over past its share', async () => {
    const { servers, open } = served({ limits: { running: 4 } });
    const stopped = servers.open({ limits: { running: 4 } }, { clock: new FakeClock() });
    const runs: string[] = [];
    const endless = (name: string) => () => {
      runs.push(name);
      return new Promise<never>(() => {});
    };
    stopped.server.tool('endless', { task: 'always' }, endless('one'));
    const second = open().tool('endless', { task: 'always' }, endless('two'));
    const first = await connectPeer(stopped.server, extension, ada);
    const { taskId } = await begin(first, 'endless');
    const peer = await connectPeer(second, extension, ada);
    await begin(peer, 'work');
    await servers.clock.advance(15_001);
    await peer.request('tasks/get', { taskId });
    await servers.clock.advance(1);
    expect(runs).toEqual(['one']);
  });
});
