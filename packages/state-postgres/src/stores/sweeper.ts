import { type Cancel, type Clock, detach } from '@tenon/foundation';
import { fenceLifetime } from '@tenon/mcp-state/adapter';
import type { Database } from '../connection/database.js';
import { quoted } from '../schema/migrations.js';

/** Rows of each table that one statement deletes. */
const batch = 1_000;
/** Batches of one sweep. The rest is left to the next sweep. */
const mostBatches = 100;
/** Milliseconds for which a large message can be fetched. */
const messageLifetime = 60_000;

export interface SweeperParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly schema: string;
  /** Milliseconds between sweeps. */
  readonly interval: number;
  readonly onError: (error: unknown) => void;
}

/** Deletes expired rows now and then. Readers do not see them before either. */
export class Sweeper {
  readonly #parts: SweeperParts;
  #cancel: Cancel | undefined;
  #ended = false;

  constructor(parts: SweeperParts) {
    this.#parts = parts;
  }

  start(): void {
    const { clock, interval, onError } = this.#parts;
    // Processes that start together do not sweep together.
    const pause = interval * (0.75 + Math.random() / 4);
    this.#cancel = clock.schedule(() => detach(this.#sweepAndPlan(), onError), pause);
  }

  end(): void {
    this.#ended = true;
    this.#cancel?.();
  }

  async #sweepAndPlan(): Promise<void> {
    try {
      await this.#sweep();
    } catch (error) {
      if (!this.#ended) this.#parts.onError(error);
    }
    if (!this.#ended) this.start();
  }

  async #sweep(): Promise<void> {
    const { database, schema } = this.#parts;
    const text = `SELECT ${quoted(schema)}.sweep($1, $2, $3)::text`;
    for (let count = 0; count < mostBatches && !this.#ended; count++) {
      const { rows } = await database.run(text, [batch, fenceLifetime, messageLifetime]);
      if (Number(rows[0]?.[0]) < batch) return;
    }
  }
}
