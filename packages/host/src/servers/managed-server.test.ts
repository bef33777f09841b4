import { memoryTarget } from '@tenon/mcp-client/memory';
import { createServer } from '@tenon/mcp-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { hosted, info as hostInfo, serverWith } from '../../test/hosted.js';
import { program } from '../../test/program.js';
import type { CatalogueChange, HostOptions, ServerState } from '../index.js';
import { ManagedServer } from './managed-server.js';

/** A target that counts its connections, and fails while `broken` is set. */
function counted(...tools: readonly string[]) {
  const inner = memoryTarget(serverWith(...tools));
  const counts = { opened: 0 };
  const state = { broken: undefined as Error | undefined };
  return {
    counts,
    state,
    target: () => {
      counts.opened++;
      if (state.broken !== undefined) throw state.broken;
      return inner.open();
    },
  };
}

const allow: Partial<HostOptions> = { policy: () => 'allow' };

describe('a server of a host', () => {
  it('is not started before it is needed, and once for all requests that wait', async () => {
    const [one, two] = [counted('a'), counted('b')];
    const { host } = hosted({}, allow);
    host.servers.add('one', one.target);
    host.servers.add('two', two.target);
    expect(host.servers.list().map(({ name, status }) => [name, status])).toEqual([
      ['one', 'configured'],
      ['two', 'configured'],
    ]);
    const calls = Array.from({ length: 20 }, () => host.callTool({ server: 'one', tool: 'a' }));
    await Promise.all([...calls, host.readResource('one', 'x:y').catch(() => undefined)]);
    expect([one.counts.opened, two.counts.opened]).toEqual([1, 0]);
    expect(host.servers.get('one')).toMatchObject({ status: 'ready', tools: 1, info: { name: 'any' } });
    await host.tools();
    await host.tools();
    expect([one.counts.opened, two.counts.opened]).toEqual([1, 1]);
  });

  it('is stopped when idle, keeps its tools, and starts again with the next call', async () => {
    const clock = new FakeClock();
    const one = counted('a');
    const { host } = hosted({}, { ...allow, clock });
    host.servers.add('one', { target: one.target, idle: 5_000 });
    await host.callTool('one__a');
    await clock.advance(4_000);
    await host.callTool('one__a');
    await clock.advance(4_000);
    expect(host.servers.get('one').status).toBe('ready');
    await clock.advance(1_000);
    expect(host.servers.get('one')).toMatchObject({ status: 'known', tools: 1 });
    expect((await host.tools()).map(({ name }) => name)).toEqual(['one__a']);
    expect(one.counts.opened).toBe(1);
    await host.callTool('one__a');
    expect(one.counts.opened).toBe(2);
  });

  it('fails alone, is not started again before a pause, and works once it can be started', async () => {
    const clock = new FakeClock();
    const bad = counted('a');
    bad.state.broken = new Error('no such\u001b[31m program\nhere');
    const { host } = hosted({ good: serverWith('b') }, { ...allow, clock });
    host.servers.add('bad', bad.target);
    expect((await host.tools()).map(({ name }) => name)).toEqual(['good__b']);
    expect(host.servers.get('bad')).toMatchObject({ status: 'failed', reason: 'no such program here' });
    const call = () => host.callTool({ server: 'bad', tool: 'a' });
    await expect(call()).rejects.toMatchObject({ reason: 'unavailable', server: 'bad' });
    expect(bad.counts.opened).toBe(1);
    await clock.advance(1_000);
    await expect(call()).rejects.toMatchObject({ reason: 'unavailable' });
    expect(bad.counts.opened).toBe(2);
    bad.state.broken = undefined;
    await expect(call()).rejects.toMatchObject({ reason: 'unavailable' });
    await host.servers.restart('bad');
    expect((await call()).isError).toBe(false);
    expect((await host.tools()).map(({ name }) => name)).toEqual(['bad__a', 'good__b']);
  });

  it('does not delay the others when it never answers', async () => {
    const { host } = hosted({ good: serverWith('b') }, allow);
    host.servers.add('slow', () => new Promise(() => undefined));
    const stop = new AbortController();
    const listing = host.tools({ signal: stop.signal });
    expect((await host.callTool({ server: 'good', tool: 'b' })).isError).toBe(false);
    stop.abort(new Error('enough'));
    await expect(listing).rejects.toThrow('enough');
    expect(host.servers.get('slow').status).toBe('starting');
  });

  it('can be removed while it is used, and rejects what waits for it', async () => {
    const { host } = hosted({ good: serverWith('b') }, allow);
    let started = () => {};
    const running = new Promise<void>((resolve) => {
      started = resolve;
    });
    const hanging = createServer({ name: 'h', version: '1' }).tool('hang', {}, () => {
      started();
      return new Promise<string>(() => undefined);
    });
    host.servers.add('hanging', memoryTarget(hanging));
    const call = host.callTool('hanging__hang');
    const outcome = expect(call).rejects.toMatchObject({ reason: 'unknown-outcome', server: 'hanging' });
    await running;
    await host.servers.remove('hanging');
    await outcome;
    expect((await host.tools()).map(({ name }) => name)).toEqual(['good__b']);
    await expect(host.callTool({ server: 'hanging', tool: 'hang' })).rejects.toMatchObject({
      reason: 'unknown-server',
    });
  });

  it('reports each state, and differences of tools by their names for models', async () => {
    const server = serverWith('a');
    const { host } = hosted({}, allow);
    const states: ServerState['status'][] = [];
    const changes: CatalogueChange[] = [];
    host.servers.onStateChange(({ status }) => states.push(status));
    host.servers.onChanged((change) => changes.push(change));
    host.servers.add('one', memoryTarget(server));
    await host.tools();
    expect(states).toEqual(['configured', 'starting', 'ready']);
    host.servers.add('two', memoryTarget(serverWith('x')));
    await host.tools();
    await host.servers.remove('one');
    expect(changes).toEqual([
      { added: ['two__x'], removed: [], changed: [] },
      { added: [], removed: ['one__a'], changed: [] },
    ]);
  });

  it('has its list read again after it announced a change, not more often than once a second', async () => {
    const clock = new FakeClock();
    const server = serverWith('a');
    let lists = 0;
    const { host } = hosted({}, { ...allow, clock });
    host.servers.add('one', {
      target: memoryTarget(server),
      middleware: [
        (call, next) => {
          if (call.method === 'tools/list' && call.params.cursor === undefined) lists++;
          return next();
        },
      ],
    });
    await host.tools();
    const changed = new Promise<CatalogueChange>((resolve) => host.servers.onChanged(resolve));
    for (let count = 0; count < 200; count++)
      server.tool(`b${count}`, { input: z.looseObject({}) }, () => 'b');
    await new Promise((resolve) => setImmediate(resolve));
    expect(lists).toBe(1);
    await clock.advance(1_000);
    expect((await changed).added).toHaveLength(200);
    expect(lists).toBe(2);
  });
});

describe('a sign-in', () => {
  /** A server that is ready, with a sign-in that waits for the user. */
  async function signingIn() {
    const clock = new FakeClock();
    const signals: AbortSignal[] = [];
    const managed = new ManagedServer({
      ...{ name: 'one', settings: { target: 'http://127.0.0.1:9/mcp' }, clock },
      dial: async () => ({ target: memoryTarget(serverWith('a')), options: { info: hostInfo, clock } }),
      signIn: (signal) => {
        signals.push(signal);
        return new Promise(() => undefined);
      },
      onStateChange: () => undefined,
      onLists: () => undefined,
      onError: () => undefined,
    });
    onTestFinished(() => managed.close());
    await managed.ready(undefined);
    const outcome = managed.signIn(undefined).then(
      () => 'signed in',
      (error: Error) => error.message,
    );
    await new Promise((resolve) => setImmediate(resolve));
    return { clock, managed, outcome, signals };
  }

  it('that the user does not finish ends with the server', async () => {
    const { managed, outcome, signals } = await signingIn();
    await managed.close();
    expect(await outcome).toBe('one was closed or removed.');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    await expect(managed.signIn(undefined)).rejects.toThrow('closed or removed');
    expect(signals).toHaveLength(1);
  });

  it('that waits keeps the server, and has no timer that comes back at once', async () => {
    const { clock, managed } = await signingIn();
    const schedule = clock.schedule.bind(clock);
    const delays: number[] = [];
    clock.schedule = (run, ms) => {
      delays.push(ms);
      // A test that fails must end.
      return delays.length > 100 ? () => undefined : schedule(run, ms);
    };
    await clock.advance(60 * 60_000);
    expect(managed.status).toBe('ready');
    expect(delays.filter((ms) => ms < 1_000)).toEqual([]);
  });
});

describe('the program of a server', () => {
  it('does not run twice when it is restarted and needed at the same time', async () => {
    const inner = memoryTarget(serverWith('a'));
    const open = { now: 0, most: 0 };
    let isClosing = () => {};
    const target = async () => {
      open.most = Math.max(open.most, ++open.now);
      const transport = await inner.open();
      const close = transport.close.bind(transport);
      transport.close = async () => {
        isClosing();
        await new Promise((resolve) => setImmediate(resolve));
        await close();
        open.now--;
      };
      return transport;
    };
    const { host } = hosted({}, allow);
    host.servers.add('one', target);
    await host.callTool('one__a');
    const closing = new Promise<void>((resolve) => {
      isClosing = resolve;
    });
    const restarted = host.servers.restart('one');
    await closing;
    expect(host.servers.get('one').status).toBe('known');
    expect((await host.callTool('one__a')).isError).toBe(false);
    await restarted;
    expect(open).toEqual({ now: 1, most: 1 });
  });

  it('is shown whole before it starts, is started once, and not without consent', async () => {
    const { target, starts } = program();
    const { host, questions, records } = hosted(
      {},
      { answer: 'no', policy: ({ kind }) => (kind === 'start' ? 'ask' : 'allow') },
    );
    host.servers.add('files', { ...target, env: { SECRET_OF_TEST: 'hunter2' } });
    await expect(host.callTool({ server: 'files', tool: 'echo' })).rejects.toMatchObject({
      reason: 'denied',
    });
    expect(starts()).toBe(0);
    const { command, args = [] } = target;
    expect(questions).toMatchObject([
      { request: { kind: 'start', server: 'files', command, args, variables: ['SECRET_OF_TEST'] } },
    ]);
    expect(questions[0]?.request.name).toContain(args[0]);
    expect(JSON.stringify([questions, records])).not.toContain('hunter2');
  });

  it('is started once although its revision has to be found out, and again when it ended', async () => {
    const { target, starts } = program();
    const { host, questions } = hosted(
      {},
      { policy: ({ kind }) => (kind === 'start' ? 'ask' : 'allow'), answer: 'run' },
    );
    host.servers.add('files', { ...target, env: { SECRET_OF_TEST: 'x' } });
    const [{ content }] = await Promise.all([
      host.callTool({ server: 'files', tool: 'echo' }),
      host.tools(),
      host.servers.start(),
    ]);
    expect(content).toEqual([{ type: 'text', text: 'x' }]);
    expect(starts()).toBe(1);
    await expect(host.callTool('files__exit')).rejects.toMatchObject({ reason: 'unknown-outcome' });
    expect((await host.callTool('files__echo')).content).toEqual([{ type: 'text', text: 'x' }]);
    expect(starts()).toBe(2);
    expect(questions).toHaveLength(1);
  });
});

describe('a set of servers', () => {
  it('restarts only the servers that changed', async () => {
    const [one, two] = [counted('a'), counted('b')];
    const { host } = hosted({}, allow);
    const same = { target: one.target };
    host.servers.set({ one: same, two: { target: two.target }, web: { url: 'http://127.0.0.1:9/mcp' } });
    await host.servers.start();
    const states: string[] = [];
    host.servers.onStateChange(({ name, status }) => states.push(`${name} ${status}`));
    host.servers.set({
      one: same,
      two: { target: two.target, idle: 1_000 },
      three: serverTarget(),
      web: { url: 'http://127.0.0.1:9/mcp' },
    });
    await host.tools();
    expect(states.filter((state) => !state.startsWith('three'))).toEqual([
      'two configured',
      'two starting',
      'two ready',
    ]);
    expect([one.counts.opened, two.counts.opened]).toEqual([1, 2]);
  });
});

function serverTarget() {
  return memoryTarget(serverWith('c'));
}
