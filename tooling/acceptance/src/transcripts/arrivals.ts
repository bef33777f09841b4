import type { Server } from '@tenon/mcp-server';

/** Resolves when a request has reached a server, for clients that must keep the order of requests. */
export class Arrivals {
  readonly #waiting: (() => void)[] = [];

  /** Watches a server from now on. */
  constructor(server: Server) {
    server.use(({ direction }, next) => {
      if (direction === 'inbound') for (const resolve of this.#waiting.splice(0)) resolve();
      return next();
    });
  }

  /** Resolves when the next request is handled. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }
}
