import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '@tenon/foundation';

/** Milliseconds in which a connection that was accepted while the server drained must send its request. */
const firstRequestTime = 500;

/** The requests that arrive while a server drains. A client, or a proxy, must not lose one because its connection ends first. */
export class LateRequests {
  /** Connections without a request yet. */
  readonly #fresh = new Set<Socket>();
  /** Responses that are not complete. */
  readonly #open = new Set<ServerResponse>();
  #onAnswered = (): void => {};

  constructor(server: Server) {
    server.on('connection', (socket) => {
      this.#fresh.add(socket);
      socket.once('close', () => this.#ended(this.#fresh, socket));
    });
    server.on('request', ({ socket }, response) => {
      this.#open.add(response);
      this.#fresh.delete(socket);
      response.once('close', () => this.#ended(this.#open, response));
    });
  }

  /** Resolves when all requests have their answers. Call it when the server refuses connections. */
  async answered(clock: Pick<Clock, 'schedule'>): Promise<void> {
    const stop = clock.schedule(
      () => {
        this.#fresh.clear();
        this.#look();
      },
      firstRequestTime,
      true,
    );
    await new Promise<void>((resolve) => {
      this.#onAnswered = resolve;
      this.#look();
    });
    stop();
  }

  #ended<Entry>(entries: Set<Entry>, entry: Entry): void {
    entries.delete(entry);
    this.#look();
  }

  #look(): void {
    if (this.#fresh.size === 0 && this.#open.size === 0) this.#onAnswered();
  }
}
