import type { StreamHost } from './event-stream.js';
import { type Outbound, Reply } from './reply.js';

/**
 * Tells the server that the session is over. Whether it cares to know is its own affair: any answer will do, and none is
 * waited for longer than the limit for closing.
 */
export function endSession(host: StreamHost): Promise<void> {
  const { clock, limits } = host;
  return new Promise((resolve) => {
    const farewell = new Farewell(host, () => {
      cancel();
      resolve();
    });
    const giveUp = () => {
      farewell.abort();
      resolve();
    };
    const cancel = clock.schedule(giveUp, limits.closeWaitMs, true);
    farewell.send();
  });
}

class Farewell extends Reply {
  protected readonly outbound: Outbound;
  readonly #done: () => void;

  constructor(host: StreamHost, done: () => void) {
    super(host);
    this.#done = done;
    this.outbound = {
      method: 'DELETE',
      resigned: true,
      headers: () => host.headers.other('DELETE', undefined),
    };
  }

  protected onHead(): void {
    this.abort();
    this.#done();
  }

  protected onChunk(): void {}

  protected onEnd(): void {
    this.#done();
  }

  protected onFailed(): void {
    this.#done();
  }
}
