import type { Context } from '@tenon/mcp-server';
import { createServer, type Server } from '@tenon/mcp-server';
import type { FakeClock } from '@tenon/mcp-testing';
import { z } from 'zod';

/** Tools of a server under stress, with different results and durations. */
export const toolNames = ['quick', 'steps', 'hold', 'deaf', 'ask', 'fail'] as const;

/** A server with calls that a test releases, and a count of running calls. */
export class Workshop {
  readonly server: Server;
  /** Number of running handlers. */
  running = 0;
  readonly #held = new Set<() => void>();

  constructor(clock: FakeClock) {
    this.server = createServer({ name: 'workshop', version: '1.0.0' }, { clock, onError: () => {} });
    this.#add('quick', async () => 'done');
    this.#add('steps', async (ctx) => {
      for (let step = 1; step <= 3; step++) {
        ctx.progress(step, 3);
        await undefined;
      }
      return 'done';
    });
    this.#add('hold', (ctx) => this.#hold(ctx.signal));
    this.#add('deaf', () => this.#hold(undefined));
    this.#add('ask', async (ctx) => {
      if (!ctx.can('elicit')) return 'the client cannot be asked';
      const { action } = await ctx.elicit('name', {
        message: 'Who?',
        schema: z.object({ name: z.string() }),
      });
      return action;
    });
    this.#add('fail', async () => {
      throw new Error('This is meant to fail.');
    });
    this.server.resource('note://one', { name: 'one' }, () => 'first');
  }

  /** Releases all waiting calls. */
  release(): void {
    for (const go of this.#held) go();
  }

  /** Resolves when {@link release} is called. */
  held(): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        this.#held.delete(go);
        resolve();
      };
      this.#held.add(go);
    });
  }

  async #hold(signal: AbortSignal | undefined): Promise<string> {
    const released = this.held();
    if (signal === undefined) await released;
    else {
      await new Promise<void>((resolve, reject) => {
        void released.then(resolve);
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    }
    return 'released';
  }

  #add(name: (typeof toolNames)[number], work: (ctx: Context) => Promise<string>): void {
    this.server.tool(name, { input: z.object({ number: z.number() }) }, async ({ number }, ctx) => {
      this.running++;
      try {
        return `${number} ${await work(ctx)}`;
      } finally {
        this.running--;
      }
    });
  }
}
