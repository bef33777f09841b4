import type { Principal } from '@tenon/mcp-protocol';
import { SharedMemory } from '@tenon/mcp-state/internal';
import { describe, expect, it, onTestFinished } from 'vitest';
import { settled } from '../../../testing/src/fake-clock.js';
import { HeldCall } from '../../test/held-call.js';
import { NotedApplication } from '../../test/noted-application.js';
import { SseMount } from '../server.js';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const ada: Principal = { id: 'ada', scopes: ['read'] };

/** Mounts of processes that share state, and an event stream at the first one. */
async function pair(principal?: Principal) {
  const memory = new SharedMemory();
  const mounts = await Promise.all([0, 1].map(() => mountIn(memory)));
  const [first, second] = mounts as [Mounted, Mounted];
  const stream = new HeldCall('GET', '/sse');
  first.mount.handle(stream, principal);
  const [, path = ''] = /data: (.*)\n/.exec(stream.sent[0] ?? '') ?? [];
  const post = async (principal: Principal | undefined, url = path) => {
    const call = new HeldCall('POST', url);
    second.mount.handle(call, principal);
    if (call.status === undefined) call.arrive(JSON.stringify(ping));
    await settled();
    return call;
  };
  return { memory, first, second, stream, path, post };
}

type Mounted = Awaited<ReturnType<typeof mountIn>>;

/** @param start - `early`: the process has not joined the others yet; `away`: and the state is away. */
async function mountIn(memory: SharedMemory, start: 'joined' | 'early' | 'away' = 'joined') {
  const application = new NotedApplication();
  const state = memory.open();
  if (start === 'away') memory.interrupt();
  const processes = state.join({ clock: application.clock, onError: application.onError });
  onTestFinished(() => processes.close());
  application.processes = processes;
  if (start === 'joined') await processes.joined;
  return { application, processes, mount: new SseMount(application) };
}

describe('an event stream', () => {
  it('opens when other processes can reach the one that serves it', async () => {
    const { mount, processes } = await mountIn(new SharedMemory(), 'early');
    const stream = new HeldCall('GET', '/sse');
    mount.handle(stream, undefined);
    expect(stream.sent).toEqual([]);
    await processes.joined;
    await settled();
    expect(stream.sent[0]).toContain('event: endpoint');
  });

  it('is refused while the state is away from a process that has not reached it yet', async () => {
    const { mount } = await mountIn(new SharedMemory(), 'away');
    const stream = new HeldCall('GET', '/sse');
    mount.handle(stream, undefined);
    await settled();
    expect(stream).toMatchObject({ status: 503 });
  });
});

describe('a message posted to another process', () => {
  it('is handled by the process with the event stream, which carries the answer', async () => {
    const { first, second, stream, path, post } = await pair();
    first.application.end().receiver.reply = () => '{"answer":true}';
    expect(path).toContain(`sessionId=${first.processes.id}.`);
    expect(await post(undefined)).toMatchObject({ status: 202 });
    expect(first.application.end().receiver.values).toEqual([ping]);
    expect(second.application.ends).toEqual([]);
    expect(stream.sent.at(-1)).toBe('event: message\ndata: {"answer":true}\n\n');
  });

  it('has the principal of its own request', async () => {
    const { first, post } = await pair(ada);
    const scopes: unknown[] = [];
    first.application.end().receiver.reply = (_, exchange) => {
      scopes.push(exchange.facts.principal?.scopes);
      return undefined;
    };
    await post({ ...ada, scopes: ['write'] });
    expect(scopes).toEqual([['write']]);
  });

  it.each<[string, Principal | undefined]>([
    ['another caller', { id: 'eve' }],
    ['an unauthenticated caller', undefined],
  ])('is rejected for %s', async (_, principal) => {
    const { first, post } = await pair(ada);
    expect(await post(principal)).toMatchObject({ status: 404 });
    expect(first.application.end().receiver.values).toEqual([]);
  });

  it('is rejected when the event stream has ended', async () => {
    const { stream, post } = await pair();
    stream.leave();
    expect(await post(undefined)).toMatchObject({ status: 404 });
  });

  it('is rejected when its process is gone', async () => {
    const { first, second, post } = await pair();
    await first.processes.close();
    const call = await post(undefined);
    await second.application.clock.advance(2_000);
    expect(call).toMatchObject({ status: 404 });
  });

  it('can be repeated when the state cannot be reached', async () => {
    const { memory, post } = await pair();
    memory.interrupt();
    expect(await post(undefined)).toMatchObject({ status: 503 });
    memory.restore();
    expect(await post(undefined)).toMatchObject({ status: 202 });
  });

  it.each(['', 'x', '.', 'abcdefghijkl.', '__proto__.x', '../../node/abcdefghijkl.x'])(
    'is rejected for the session id "%s"',
    async (id) => {
      const { second, post } = await pair();
      const posted = post(undefined, `/messages?sessionId=${encodeURIComponent(id)}`);
      await settled();
      await second.application.clock.advance(2_000);
      expect(await posted).toMatchObject({ status: 404 });
    },
  );

  it.each([
    null,
    7,
    {},
    { session: 'x', principal: 'ada', message: ping },
    { session: 'x', remoteAddress: 7 },
  ])('is not taken from a bus with %j', async (body) => {
    const { first, second } = await pair();
    expect(await second.processes.request(first.processes.id, 'sse/message', body)).toBeUndefined();
    expect(first.application.errors).toEqual([]);
  });

  it.each([{ scopes: 'write' }, { scopes: [7] }, { expiresAt: 'never' }])(
    'is not taken from a bus with a principal that has %j',
    async (change) => {
      const { first, second, path } = await pair(ada);
      const body = { session: path.split('=')[1], principal: { ...ada, ...change }, message: ping };
      expect(await second.processes.request(first.processes.id, 'sse/message', body)).toBeUndefined();
      expect(first.application.end().receiver.values).toEqual([]);
    },
  );
});
