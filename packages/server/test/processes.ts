import { serverPort } from '@tenon/mcp-protocol';
import type { State } from '@tenon/mcp-state';
import { namedState, SharedMemory } from '@tenon/mcp-state/internal';
import { onTestFinished } from 'vitest';
import { FakeClock, settled } from '../../testing/src/fake-clock.js';
import type { ServerOptions } from '../src/index.js';
import { createServer, type Server } from '../src/server.js';
import type { WireMessage } from './wire-peer.js';

const info = { name: 'test', version: '1' };

/** Servers with the same state, as in several processes. */
export class TestProcesses {
  readonly memory: SharedMemory = new SharedMemory();
  readonly clock: FakeClock = new FakeClock();
  readonly errors: unknown[] = [];

  /** Returns one more server, which other servers reach. */
  async server(options: ServerOptions = {}): Promise<Server> {
    const state = this.memory.open();
    const onError = (error: unknown) => this.errors.push(error);
    const server = createServer(info, { state, clock: this.clock, onError, ...options }) as Server;
    onTestFinished(async () => {
      const closed = server.close();
      // Handlers that still wait are given up.
      await this.clock.advance(120_000);
      await closed;
    });
    await server[serverPort].processes?.joined;
    return server;
  }

  /** The part of the state that the servers use, in a process without a server. */
  get state(): State {
    return namedState(this.memory.open(), info.name);
  }

  /** Publishes a message of a process that does not exist. */
  async inject(kind: string, body: unknown): Promise<void> {
    const text = JSON.stringify({ kind, from: 'aaaaaaaaaaaa', body });
    await this.state.bus.publish('cluster/nodes', text);
    await settled();
  }
}

/** The notifications that a peer has received, without their params; an update is its URI. */
export async function toldOf(peer: { readonly received: WireMessage[] }): Promise<unknown[]> {
  await settled();
  const told = peer.received.flatMap(({ id, method, params }) =>
    id !== undefined || method === undefined ? [] : [params?.uri ?? method],
  );
  peer.received.length = 0;
  return told;
}
