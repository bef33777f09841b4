import type { Change, Client } from '@tenon/mcp-client';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { ServerConnection } from './server-connection.js';
import { noLists } from './server-lists.js';

/** A connection to a client. The test decides on its changes and states. */
async function watched({ refusals = 0 } = {}) {
  const clock = new FakeClock();
  const errors: string[] = [];
  const counts = { lists: 0, watches: 0 };
  let read = 0;
  let change: (change: Change) => void = () => undefined;
  let changeState: (change: { readonly state: string }) => void = () => undefined;
  const client = {
    capabilities: { tools: { listChanged: true } },
    tools: () => ({
      async all() {
        counts.lists++;
        return [];
      },
    }),
    async watch(_: unknown, listener: typeof change) {
      if (counts.watches++ < refusals) throw new Error('no streams');
      change = listener;
      return { close: async () => undefined };
    },
    onStateChange(listener: typeof changeState) {
      changeState = listener;
    },
    close: async () => undefined,
  };
  const connection = new ServerConnection(client as unknown as Client, {
    ...{ name: 'notes', clock, before: noLists },
    onLists: () => void read++,
    onLost: () => undefined,
    onError: (error, where) => errors.push(`${where}: ${(error as Error).message}`),
  });
  await connection.start();
  return {
    ...{ clock, errors, counts, connection },
    change: (next: Change) => change(next),
    /** Resolves when all lists that were requested have been read. */
    async settled() {
      while (read < counts.lists) await new Promise((resolve) => setImmediate(resolve));
    },
    state: (state: string) => changeState({ state }),
  };
}

const ended: Change = { kind: 'ended', error: new Error('gone') };

describe('the lists of a connection', () => {
  it('are read again after the pause in which changes were not watched', async () => {
    const { clock, counts, change } = await watched();
    change(ended);
    await clock.advance(59_999);
    expect(counts).toEqual({ lists: 1, watches: 1 });
    await clock.advance(1);
    expect(counts).toEqual({ lists: 2, watches: 2 });
  });

  it('are read in such a pause when the connection is open again', async () => {
    const { clock, counts, change, state } = await watched();
    change(ended);
    state('reconnecting');
    state('open');
    await clock.advance(0);
    expect(counts).toEqual({ lists: 2, watches: 1 });
  });

  it('are watched again although a change waits to be read when the watch ends', async () => {
    const { clock, counts, change } = await watched();
    change({ kind: 'tools' });
    change(ended);
    await clock.advance(60_000);
    expect(counts.watches).toBe(2);
  });

  it('are watched once the server allows it, and each refusal is reported as one of changes', async () => {
    const { clock, counts, errors, change, settled } = await watched({ refusals: 2 });
    await clock.advance(120_000);
    expect(errors).toEqual(['changes of notes: no streams', 'changes of notes: no streams']);
    await settled();
    const before = counts.lists;
    change({ kind: 'tools' });
    await clock.advance(1_000);
    expect(counts.lists).toBe(before + 1);
  });

  it('are neither read nor watched after the connection was closed', async () => {
    const { clock, counts, connection, change } = await watched();
    change({ kind: 'tools' });
    change(ended);
    await connection.close();
    await clock.advance(60_000);
    expect(counts).toEqual({ lists: 1, watches: 1 });
  });
});
