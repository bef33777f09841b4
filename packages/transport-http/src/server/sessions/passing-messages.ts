import type { HttpSession } from './http-session.js';

/** Serves a request of a session. A promise resolves when it is served. */
export type Serve = (session: HttpSession) => Promise<void> | undefined;

/**
 * The messages of sessions that this process does not keep, since it drains or is full. Other processes may wait for them, and clients do
 * not repeat them.
 */
export class PassingMessages {
  readonly #serving = new Set<Promise<unknown>>();
  readonly #most: number;

  /** @param most - messages at the same time. */
  constructor(most: number) {
    this.#most = most;
  }

  get isFull(): boolean {
    return this.#serving.size >= this.#most;
  }

  /** Serves a message with a session that ends here afterwards. Returns false if there is no such session. */
  async serve(restored: Promise<HttpSession | undefined>, serve: Serve): Promise<boolean> {
    const serving = this.#serve(restored, serve);
    const settled = Promise.allSettled([serving]);
    this.#serving.add(settled);
    try {
      return await serving;
    } finally {
      this.#serving.delete(settled);
    }
  }

  /** Resolves when the present messages are served. */
  async served(): Promise<void> {
    await Promise.all(this.#serving);
  }

  async #serve(restored: Promise<HttpSession | undefined>, serve: Serve): Promise<boolean> {
    const session = await restored;
    if (session === undefined) return false;
    try {
      await serve(session);
    } finally {
      await session.drain();
    }
    return true;
  }
}
