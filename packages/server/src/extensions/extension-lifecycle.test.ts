import { serverPort } from '@tenon/mcp-protocol';
import { memoryState } from '@tenon/mcp-state';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FakeClock, settled } from '../../../testing/src/fake-clock.js';
import { WirePeer } from '../../test/wire-peer.js';
import type { ServerOptions } from '../index.js';
import { createServer, type Server } from '../server.js';
import { defineExtension } from './define-extension.js';
import type { ServerContributions } from './extension.js';

const info = { name: 'test', version: '1' };
const id = 'com.example/jobs';
const forever = () => new Promise<void>(() => {});

/** A server with one extension, its clock, and the errors that it reports. */
function serverWith(contributions: Partial<ServerContributions>, options: ServerOptions = {}) {
  const clock = new FakeClock();
  const errors: string[] = [];
  const onError = (error: unknown, where: string) => errors.push(`${where}: ${(error as Error).message}`);
  const extension = defineExtension({ id, interceptInput: (_, next) => next(), ...contributions });
  const create = () =>
    createServer(info, { clock, onError, extensions: [extension], ...options }) as unknown as Server;
  return { clock, errors, create };
}

/** True once a promise has resolved. */
function watched(promise: Promise<unknown>): { done: boolean } {
  const state = { done: false };
  void promise.then(() => {
    state.done = true;
  });
  return state;
}

describe('register', () => {
  it('rejects an extension that registers later, and reports the error of its promise', async () => {
    const { create, errors } = serverWith({
      register: async () => {
        throw new Error('no folder');
      },
    });
    expect(create).toThrow(`Extension "${id}": register() returned a promise`);
    await settled();
    expect(errors).toEqual([`Extension "${id}": no folder`]);
  });

  it('rejects an extension with a promise that resolves, because its entries would be missing', () => {
    const { create } = serverWith({ register: () => Promise.resolve() });
    expect(create).toThrow(TypeError);
  });

  it('names the extension when it throws', () => {
    const { create } = serverWith({ register: (entries) => entries.tool('a b', {}, () => '') });
    expect(create).toThrow(`Extension "${id}": register() failed: `);
  });
});

describe('closing a server', () => {
  it.each(['drain', 'stop'] as const)('goes on when the %s of an extension never ends', async (step) => {
    const order: string[] = [];
    const { create, clock, errors } = serverWith({
      drain: () => void order.push('drain'),
      stop: () => void order.push('stop'),
      [step]: () => {
        order.push(step);
        return forever();
      },
    });
    const server = create();
    await WirePeer.open(server);
    const closed = watched(server.close());
    await clock.advance(4_999);
    expect([closed.done, errors]).toEqual([false, []]);
    await clock.advance(1);
    expect(closed.done).toBe(true);
    expect(order).toEqual(['drain', 'stop']);
    expect(errors).toEqual([
      `Extension "${id}": Extension "${id}": ${step}() did not end within 5000 ms, so nothing waits for it any more. Let it end, or allow more with the option "limits.drain".`,
    ]);
    expect(clock.waiting).toEqual([]);
  });

  it('waits for as long as limits.drain says, and for each extension alone', async () => {
    const { create, clock, errors } = serverWith({ drain: forever }, { limits: { drain: 50 } });
    const server = create();
    await WirePeer.open(server);
    const left = watched(server[serverPort].leaving());
    await clock.advance(50);
    expect([left.done, errors.length]).toEqual([true, 1]);
    await server.close();
  });

  it('drops the error of an extension that fails after the limit', async () => {
    let fail = (_: Error) => {};
    const { create, clock, errors } = serverWith({
      drain: () =>
        new Promise((_, reject) => {
          fail = reject;
        }),
    });
    const server = create();
    await WirePeer.open(server);
    const closed = server.close();
    await clock.advance(5_000);
    await closed;
    fail(new Error('late'));
    await settled();
    expect(errors).toHaveLength(1);
  });

  it('goes on when a connection never closes', async () => {
    const { create, clock, errors } = serverWith({});
    const server = create();
    server[serverPort].accept({ start: () => {}, send: () => {}, close: forever } as never);
    const closed = watched(server.close());
    await clock.advance(5_000);
    expect(closed.done).toBe(true);
    expect(errors).toEqual([
      expect.stringMatching(/^close: Closing the connection did not end within 5000 ms/),
    ]);
  });

  it('goes on when a state never lets the server leave', async () => {
    const memory = memoryState();
    const errors: unknown[] = [];
    const clock = new FakeClock();
    const node = { state: memory, id: 'a', joined: forever(), handle: () => () => {}, onGap: () => () => {} };
    const state = { ...memory, join: () => ({ ...node, leave: forever, broadcast: forever }) as never };
    const server = createServer(info, { state, clock, onError: (error) => errors.push(error) });
    server[serverPort].accept({ start: () => {}, send: () => {}, close: async () => {} } as never);
    const closed = watched(server.close());
    await clock.advance(5_000);
    expect(closed.done).toBe(true);
    expect(errors).toMatchObject([
      { reason: 'timeout', message: expect.stringMatching(/^Leaving the shared state/) },
    ]);
    onTestFinished(() => memory.close());
  });
});

it('an onError that fails itself does not end the process', async () => {
  const { create } = serverWith(
    {
      start: () => {
        throw new Error('no start');
      },
    },
    { onError: async () => Promise.reject(new Error('no log')) },
  );
  const server = create();
  await WirePeer.open(server);
  await settled();
  await server.close();
});
