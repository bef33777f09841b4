import { expect, it, onTestFinished, vi } from 'vitest';
import { FakeClock, settled } from '../../../testing/src/fake-clock.js';
import { SharedMemory } from '../internal.js';
import { StateError } from '../state.js';
import { ProcessGoneError } from './processes.js';

/** Processes of one state, and the errors they report. */
function processes() {
  const memory = new SharedMemory();
  const clock = new FakeClock();
  const errors: unknown[] = [];
  const node = async () => {
    const made = memory.open().join({ clock, onError: (error) => errors.push(error) });
    onTestFinished(() => made.close());
    await made.joined;
    return made;
  };
  return { memory, clock, errors, node };
}

it('resolves a request with the answer of the other node', async () => {
  const { node, clock } = processes();
  const [one, other] = [await node(), await node()];
  other.handle('add', (body, from) => ({ sum: (body as number[]).reduce((a, b) => a + b), from }));
  expect(await one.request(other.id, 'add', [1, 2])).toEqual({ sum: 3, from: one.id });
  expect(clock.waiting).toEqual([]);
});

it('rejects a request with ProcessGoneError when the node has ended', async () => {
  const { node, clock } = processes();
  const [one, other] = [await node(), await node()];
  await other.close();
  const request = one.request(other.id, 'add', []);
  const failed = expect(request).rejects.toThrow(ProcessGoneError);
  await clock.armed(2_000);
  await clock.advance(2_000);
  await failed;
});

it('rejects requests at once when the node has left', async () => {
  const { node, clock, memory } = processes();
  const [one, other] = [await node(), await node()];
  other.handle('wait', () => new Promise(() => {}));
  const waiting = expect(one.request(other.id, 'wait', 1)).rejects.toThrow(ProcessGoneError);
  await clock.armed(2_000);
  await other.leave();
  await waiting;
  memory.interrupt();
  memory.restore();
  await expect(one.request(other.id, 'wait', 1)).rejects.toThrow(`The process ${other.id} has left.`);
  expect(clock.waiting).toEqual([]);
});

it('leaves without a message while the state cannot be reached', async () => {
  const { node, memory, errors } = processes();
  const other = await node();
  memory.interrupt();
  const reported = errors.length;
  await other.leave();
  await other.leave();
  expect(errors).toHaveLength(reported);
});

it('rejects a request to a process that never was with ProcessGoneError at once', async () => {
  const { node, clock } = processes();
  const one = await node();
  await expect(one.request('aaaaaaaaaaaa', 'add', [])).rejects.toThrow(ProcessGoneError);
  expect(clock.waiting).toEqual([]);
});

it('makes its id known again when the state failed after an interruption', async () => {
  const { node, memory, clock, errors } = processes();
  const one = await node();
  await one.state.kv.delete(`node/${one.id}`);
  const slow = new StateError('unavailable', 'State: too slow.');
  // Both subscriptions report a gap.
  vi.spyOn(one.state.kv, 'put').mockRejectedValueOnce(slow).mockRejectedValueOnce(slow);
  memory.interrupt();
  memory.restore();
  await settled();
  expect(await one.state.kv.get(`node/${one.id}`)).toBeUndefined();
  expect(errors[0]).toBe(slow);
  await clock.advance(1_000);
  expect(await one.state.kv.get(`node/${one.id}`)).toBeDefined();
  expect(clock.waiting).toEqual([]);
});

it('does not take a process for gone because the state has lost all keys', async () => {
  const { node, memory } = processes();
  const [one, other] = [await node(), await node()];
  other.handle('find', () => 'found');
  await one.state.kv.delete(`node/${other.id}`);
  memory.interrupt();
  memory.restore();
  await settled();
  expect(await one.request(other.id, 'find', 1)).toBe('found');
});

it('renews its id with a message, a day after the last time', async () => {
  const { node, clock } = processes();
  const [one, other] = [await node(), await node()];
  await one.state.kv.delete(`node/${other.id}`);
  await other.broadcast('x', {});
  expect(await one.state.kv.get(`node/${other.id}`)).toBeUndefined();
  await clock.advance(86_400_000);
  await other.broadcast('x', {});
  await settled();
  expect(await one.state.kv.get(`node/${other.id}`)).toBeDefined();
});

it('waits longer for an answer when this process was paused', async () => {
  const { node, clock } = processes();
  const [one, other] = [await node(), await node()];
  let finish = (_: string): void => {};
  other.handle('find', () => new Promise<string>((resolve) => (finish = resolve)));
  const request = one.request(other.id, 'find', 1);
  await clock.armed(2_000);
  clock.stall(3_000);
  // The timer runs before the answer is read.
  await clock.advance(0);
  finish('found');
  expect(await request).toBe('found');
});

it.each([1, 2])('waits longer for an answer when the state delays message %i', async (delayed) => {
  const { node, clock } = processes();
  const [one, other] = [await node(), await node()];
  let finish = (_: string): void => {};
  other.handle('find', () => new Promise<string>((resolve) => (finish = resolve)));
  const { bus } = one.state;
  const publish = bus.publish.bind(bus);
  let proceed = (): void => {};
  let published = 0;
  vi.spyOn(bus, 'publish').mockImplementation(async (topic, text) => {
    if (++published === delayed) await new Promise<void>((resolve) => (proceed = resolve));
    return publish(topic, text);
  });
  const request = one.request(other.id, 'find', 1);
  await settled();
  await clock.advance(3_000);
  proceed();
  await settled();
  await clock.advance(500);
  finish('found');
  expect(await request).toBe('found');
});

it('rejects a request with a StateError soon after an interruption, because the other node may live', async () => {
  const { node, clock, memory } = processes();
  const [one, other] = [await node(), await node()];
  await other.close();
  memory.interrupt();
  memory.restore();
  for (const [wait, reason] of [
    [2_000, StateError],
    [3_000, StateError],
    [2_000, ProcessGoneError],
  ] as const) {
    const failed = expect(one.request(other.id, 'add', [])).rejects.toThrow(reason);
    await clock.armed(2_000);
    await clock.advance(2_000);
    await failed;
    await clock.advance(wait - 2_000);
  }
});

it('rejects a request with the message of an error that the handler throws, and reports it at the other node', async () => {
  const { node, errors } = processes();
  const [one, other] = [await node(), await node()];
  other.handle('fail', () => Promise.reject(new RangeError('Too much.')));
  await expect(one.request(other.id, 'fail', null)).rejects.toThrow('Too much.');
  expect(errors).toHaveLength(1);
});

it('answers with the first handler that returns a value, and with nothing if there is none', async () => {
  const { node } = processes();
  const [one, other] = [await node(), await node()];
  other.handle('find', () => undefined);
  const remove = other.handle('find', () => 'second');
  expect(await one.request(other.id, 'find', 1)).toBe('second');
  remove();
  expect(await one.request(other.id, 'find', 1)).toBeUndefined();
});

it('answers other messages while a handler works', async () => {
  const { node } = processes();
  const [one, other] = [await node(), await node()];
  let finish = (_: string): void => {};
  other.handle('slow', () => new Promise<string>((resolve) => (finish = resolve)));
  other.handle('quick', () => 'done');
  const slow = one.request(other.id, 'slow', null);
  expect(await one.request(other.id, 'quick', null)).toBe('done');
  finish('late');
  expect(await slow).toBe('late');
});

it('broadcasts to all other nodes, and not to itself', async () => {
  const { node } = processes();
  const nodes = [await node(), await node(), await node()];
  const received: number[] = [];
  for (const [index, one] of nodes.entries()) one.handle('news', () => received.push(index));
  await nodes[0]?.broadcast('news', { any: 1 });
  await settled();
  expect(received.sort()).toEqual([1, 2]);
});

it('reports a gap when the connection was interrupted', async () => {
  const { node, memory } = processes();
  const one = await node();
  let gaps = 0;
  const stop = one.onGap(() => gaps++);
  memory.interrupt();
  await expect(one.broadcast('news', 1)).rejects.toMatchObject({ reason: 'unavailable' });
  memory.restore();
  // One for each of its two topics.
  expect(gaps).toBe(2);
  stop();
  memory.interrupt();
  memory.restore();
  expect(gaps).toBe(2);
});

it('is ready as soon as the state is, and reports each failed attempt', async () => {
  const memory = new SharedMemory();
  const clock = new FakeClock();
  const errors: unknown[] = [];
  const state = memory.open();
  memory.interrupt();
  const node = state.join({ clock, onError: (error) => errors.push(error) });
  onTestFinished(() => node.close());
  await clock.armed(1_000);
  await clock.advance(1_000);
  await clock.armed(1_000);
  expect(errors).toHaveLength(2);
  memory.restore();
  await clock.advance(1_000);
  await node.joined;
});

it('rejects waiting requests when it is closed', async () => {
  const { node, clock } = processes();
  const [one, other] = [await node(), await node()];
  other.handle('never', () => new Promise(() => {}));
  const waiting = expect(one.request(other.id, 'never', null)).rejects.toMatchObject({ reason: 'closed' });
  await clock.armed(2_000);
  await one.close();
  await waiting;
  expect(clock.waiting).toEqual([]);
  await expect(one.request(other.id, 'never', null)).rejects.toMatchObject({ reason: 'closed' });
});

it.each([
  'no JSON',
  '[]',
  '{"from":"../../x","kind":"news"}',
  '{"from":"abcdefghijkl"}',
  '{"from":"abcdefghijkl","kind":"a","answers":1}',
])('reports and ignores the message %s', async (text) => {
  const { node, errors } = processes();
  const one = await node();
  let calls = 0;
  one.handle('news', () => calls++);
  await one.state.bus.publish(`node/${one.id}`, text);
  await settled();
  expect([errors.length, calls]).toEqual([1, 0]);
});

it('ends a subscription that is made while the node closes', async () => {
  const { memory, clock } = processes();
  const errors: unknown[] = [];
  const closing = memory.open().join({ clock, onError: (error) => errors.push(error) });
  const left = expect(closing.joined).rejects.toThrow('left the other processes');
  await closing.close();
  await left;
  await memory.open().bus.publish('cluster/nodes', 'malformed');
  await memory.open().bus.publish(`node/${closing.id}`, 'malformed');
  await settled();
  expect(errors).toEqual([]);
});

it('rejects callers that wait to join while the state is away, and joins when it is back', async () => {
  const { memory, clock } = processes();
  const state = memory.open();
  memory.interrupt();
  const node = state.join({ clock, onError: () => {} });
  const unavailable = { name: 'StateError', reason: 'unavailable' };
  await expect(node.waitUntilJoined()).rejects.toMatchObject(unavailable);
  await expect(node.request('aaaaaaaaaaaa', 'never', null)).rejects.toMatchObject(unavailable);
  await clock.advance(1_000);
  await expect(node.waitUntilJoined()).rejects.toMatchObject(unavailable);
  memory.restore();
  await clock.advance(1_000);
  await node.waitUntilJoined();
  await node.close();
});

it('stops waiting for the state when it is closed', async () => {
  const { memory, clock } = processes();
  const state = memory.open();
  memory.interrupt();
  const waiting = state.join({ clock, onError: () => {} });
  await clock.armed(1_000);
  const left = expect(waiting.joined).rejects.toThrow('left the other processes');
  await waiting.close();
  await left;
  expect(clock.waiting).toEqual([]);
});
