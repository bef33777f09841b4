import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Dialer, type SpawnOptions, stdioTarget } from '@tenon/mcp-client/stdio';
import type { Connection } from '@tenon/mcp-protocol';
import type { Liar, WayBack } from './liar.js';
import type { Place } from './place.js';

const relay = fileURLToPath(new URL('../../fixtures/hostile-client/relay.mjs', import.meta.url));

/** Serves a liar over the standard streams of a child process. */
export async function relayedLiar(liar: Liar, options: Partial<SpawnOptions> = {}): Promise<Place> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const way = lines(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    createInterface({ input: socket }).on('line', (line) => liar.take(JSON.parse(line), way));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const target = stdioTarget({ command: process.execPath, args: [relay, String(port)], ...options });
  const watched = new WatchedProcesses(target);
  return {
    target: watched,
    remains: () => watched.remains(),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Starts processes, and reports those that still run. */
export class WatchedProcesses implements Dialer {
  readonly restartable = true;
  readonly #target: Dialer;
  readonly #started: { readonly pid: number | undefined; ending: Promise<void> | undefined }[] = [];

  constructor(target: Dialer) {
    this.#target = target;
  }

  async open(): Promise<Connection> {
    const connection = (await this.#target.open()) as Connection & { readonly pid?: number };
    const started = { pid: connection.pid, ending: undefined as Promise<void> | undefined };
    this.#started.push(started);
    const close = connection.close.bind(connection);
    connection.close = () => {
      started.ending = close();
      return started.ending;
    };
    return connection;
  }

  /** Number of started processes. */
  get count(): number {
    return this.#started.length;
  }

  /** Returns the processes that still run after the client released them. */
  async remains(): Promise<readonly string[]> {
    await Promise.all(this.#started.map(({ ending }) => ending));
    const left = this.#started.filter(({ pid }) => pid !== undefined && isAlive(pid));
    return left.map(({ pid }) => `process ${pid}`);
  }
}

/** True if a process runs; false if it has ended, even if it was not collected yet. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

function lines(socket: Socket): WayBack {
  return {
    say: (...texts) => drained(socket, socket.write(`${texts.join('\n')}\n`)),
    write: (text) => drained(socket, socket.write(text)),
    end() {},
    cut: () => void socket.destroy(),
  };
}

const soon = Promise.resolve();

/** Resolves when more can be written; at once if the reader is gone. */
export function drained(
  stream: { once(event: string, listener: () => void): unknown; destroyed: boolean },
  written: boolean,
): Promise<void> {
  if (written || stream.destroyed) return soon;
  return new Promise((resolve) => {
    stream.once('drain', resolve);
    stream.once('close', resolve);
  });
}
