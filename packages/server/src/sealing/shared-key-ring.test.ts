import { serverPort } from '@tenon/mcp-protocol';
import type { State } from '@tenon/mcp-state';
import { joinProcesses } from '@tenon/mcp-state/adapter';
import { namedState, SharedMemory } from '@tenon/mcp-state/internal';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { FakeClock, settled } from '../../../testing/src/fake-clock.js';
import { latestStateless, WirePeer } from '../../test/wire-peer.js';
import type { ServerOptions } from '../options.js';
import { createServer } from '../server.js';
import { createSealer, rotateStateKeys } from './sealing.js';

const key = 'keys/request-state';
const lifetime = 600_000;
const invalid = expect.objectContaining({ code: -32602 });
const overloaded = expect.objectContaining({
  code: -31001,
  message: 'The keys of params.requestState cannot be read now; try again later.',
});

let clock: FakeClock;
let memory: SharedMemory;
let errors: string[];

beforeEach(() => {
  clock = new FakeClock();
  memory = new SharedMemory();
  errors = [];
});

/** One process: its sealer, and the reads of the keys. */
async function process() {
  const state = memory.open();
  const reads = vi.spyOn(state.kv, 'get');
  const onError = (error: unknown) => void errors.push(String(error));
  const processes = joinProcesses(state, { clock, onError });
  onTestFinished(() => processes.close());
  await processes.joined;
  const sealer = createSealer({ shared: { processes, clock, onError }, lifetime, now: () => clock.now() });
  return { sealer, reads, rotate: () => rotateStateKeys({ [serverPort]: { processes } }) };
}

async function secrets(
  state: State = memory.open(),
): Promise<readonly (readonly [secret: string, added: number])[]> {
  return JSON.parse((await state.kv.get(key))?.value ?? '[]');
}

describe('keys in shared state', () => {
  test('open in every process what one process sealed', async () => {
    const [one, other] = [await process(), await process()];
    const [first, second] = await Promise.all([one.sealer.seal('a', 'b'), other.sealer.seal('c', 'b')]);
    expect(await other.sealer.open(first, 'b')).toMatchObject({ state: 'a' });
    expect(await one.sealer.open(second, 'b')).toMatchObject({ state: 'c' });
    expect(await secrets()).toHaveLength(1);
  });

  test('are read once', async () => {
    const { sealer, reads } = await process();
    const texts = await Promise.all([1, 2, 3].map((each) => sealer.seal(each, 'b')));
    for (const text of texts) await sealer.open(text, 'b');
    // The first read finds none.
    expect(reads).toHaveBeenCalledTimes(1);
  });

  test('open a state that was sealed before a rotation, and seal with the new key everywhere', async () => {
    const [one, other] = [await process(), await process()];
    const before = await other.sealer.seal('before', 'b');
    await one.rotate();
    await settled();
    expect(await secrets()).toHaveLength(2);
    expect(await one.sealer.open(before, 'b')).toMatchObject({ state: 'before' });
    const after = await Promise.all([one, other].map(({ sealer }) => sealer.seal('after', 'b')));
    expect(after[0]?.slice(0, 9)).toBe(after[1]?.slice(0, 9));
    expect(after[0]?.slice(0, 9)).not.toBe(before.slice(0, 9));
    expect(await other.sealer.open(after[0], 'b')).toMatchObject({ state: 'after' });
  });

  test('are dropped by a rotation when no state of theirs is valid', async () => {
    const { rotate, sealer } = await process();
    await sealer.seal(0, 'b');
    await rotate();
    await clock.advance(2 * lifetime - 1);
    await rotate();
    expect(await secrets()).toHaveLength(3);
    await clock.advance(1);
    await rotate();
    expect(await secrets()).toHaveLength(3);
  });

  test('are read again for a state with an unknown key when the broadcast was lost', async () => {
    const [one, other] = [await process(), await process()];
    await other.sealer.seal('before', 'b');
    await memory.open().kv.delete(key);
    const after = await (await process()).sealer.seal('after', 'b');
    await clock.advance(1_000);
    expect(await other.sealer.open(after, 'b')).toMatchObject({ state: 'after' });
    expect(await one.sealer.open(after, 'b')).toMatchObject({ state: 'after' });
  });

  test('are read again after messages of other processes may have been lost', async () => {
    const one = await process();
    const before = await one.sealer.seal(0, 'b');
    memory.interrupt();
    await (await process()).rotate();
    memory.restore();
    expect((await one.sealer.seal(0, 'b')).slice(0, 9)).not.toBe(before.slice(0, 9));
  });

  test('are read at most once a second because of unknown keys', async () => {
    const { sealer, reads } = await process();
    await sealer.seal(0, 'b');
    reads.mockClear();
    const foreign = await createSealer({ keys: [new Uint8Array(32)] }).seal(0, 'b');
    const refused = Array.from({ length: 20 }, () =>
      expect(sealer.open(foreign, 'b')).rejects.toEqual(invalid),
    );
    await vi.waitFor(() => expect(clock.waiting).toEqual([1_000]));
    expect(reads).not.toHaveBeenCalled();
    await clock.advance(1_000);
    await Promise.all(refused);
    expect(reads).toHaveBeenCalledTimes(1);
  });

  test('are not read again for an unknown key right after the first read', async () => {
    const { sealer, reads } = await process();
    const foreign = await createSealer({ keys: [new Uint8Array(32)] }).seal(0, 'b');
    await expect(sealer.open(foreign, 'b')).rejects.toEqual(invalid);
    expect(reads).toHaveBeenCalledTimes(1);
    expect(clock.waiting).toEqual([]);
  });

  test('are read again before sealing after the lifetime of a state', async () => {
    const { sealer, reads } = await process();
    await sealer.seal(0, 'b');
    await clock.advance(lifetime - 1);
    await sealer.seal(0, 'b');
    expect(reads).toHaveBeenCalledTimes(1);
    await clock.advance(1);
    await sealer.seal(0, 'b');
    expect(reads).toHaveBeenCalledTimes(2);
  });

  test('reject calls with overloaded while the state is unavailable, and work later', async () => {
    const [one, other] = [await process(), await process()];
    const text = await one.sealer.seal('a', 'b');
    memory.interrupt();
    // The copy of this process is good enough.
    expect(await one.sealer.open(text, 'b')).toMatchObject({ state: 'a' });
    await expect(other.sealer.seal(0, 'b')).rejects.toEqual(overloaded);
    await expect(other.sealer.open(text, 'b')).rejects.toEqual(overloaded);
    await expect(other.rotate()).rejects.toMatchObject({ reason: 'unavailable' });
    expect(errors).toContain('StateError: State: it was interrupted.');
    memory.restore();
    expect(await other.sealer.open(text, 'b')).toMatchObject({ state: 'a' });
  });

  test('are read again after a read that failed', async () => {
    const { sealer, reads } = await process();
    reads.mockRejectedValueOnce(new Error('timed out'));
    await expect(sealer.seal(0, 'b')).rejects.toEqual(overloaded);
    await sealer.seal(0, 'b');
    expect(errors).toEqual(['Error: timed out']);
  });

  test('reject calls with overloaded when another program overwrote them', async () => {
    await memory.open().kv.put(key, 'not a list');
    await expect((await process()).sealer.seal(0, 'b')).rejects.toEqual(overloaded);
    expect(errors).toEqual([expect.stringContaining('does not contain a list of secrets')]);
  });
});

describe('servers that share their state', () => {
  async function shop(options: ServerOptions = {}) {
    const server = createServer(
      { name: 'shop', version: '1' },
      { state: memory.open(), onError: (error) => void errors.push(String(error)), ...options },
    ).tool('order', {}, async (_, ctx) => {
      const order = await ctx.once('order', () => 'order 1');
      await ctx.roots('sure');
      return order;
    });
    onTestFinished(() => server.close());
    const peer = await WirePeer.open(server, latestStateless, { roots: {} });
    const call = (more: object = {}) => peer.request('tools/call', { name: 'order', ...more });
    const answer = (requestState: unknown) => call({ requestState, inputResponses: { sure: { roots: [] } } });
    return { server, call, answer };
  }

  test('finish a call that began at another server, before and after a rotation', async () => {
    const [one, other] = [await shop(), await shop()];
    const [before, later] = [await one.call(), await one.call()];
    expect((await other.answer(before.result?.requestState)).result?.content?.[0]?.text).toBe('order 1');
    await rotateStateKeys(one.server);
    expect((await other.answer(later.result?.requestState)).result?.content?.[0]?.text).toBe('order 1');
    expect(await secrets(namedState(memory.open(), 'shop'))).toHaveLength(2);
  });

  test('answer -31001 while the state is unavailable', async () => {
    const { call, answer } = await shop();
    memory.interrupt();
    expect((await call()).error).toEqual(overloaded);
    memory.restore();
    const { result } = await call();
    expect((await answer(result?.requestState)).error).toBeUndefined();
  });

  test('keep their own stateKeys out of the state', async () => {
    const { server, call } = await shop({ stateKeys: ['7'.repeat(64)] });
    expect((await call()).result?.requestState).toEqual(expect.any(String));
    expect(await secrets()).toEqual([]);
    await expect(rotateStateKeys(server)).rejects.toThrow(TypeError);
  });

  test('rejects a rotation for a server without shared state', async () => {
    await expect(rotateStateKeys(createServer({ name: 'alone', version: '1' }))).rejects.toThrow(
      'needs shared state',
    );
  });
});
