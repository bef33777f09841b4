import type { Clock } from '@tenon/foundation';
import { TransportError } from '@tenon/mcp-protocol';
import type { HttpClientLimits } from '../request/http-limits.js';

/** The parts of the connection that an {@link AnswerSender} uses. */
export interface AnswerParts {
  readonly limits: Pick<HttpClientLimits, 'maxAnswerRepeats' | 'answerBackoffMs'>;
  readonly clock: Clock;
  readonly random: () => number;
  /** Posts one frame. */
  send(frame: string): Promise<void>;
}

/**
 * Sends answers to the server's requests, and repeats them if their connections break or the server has no capacity (503). A repeated answer
 * does no harm.
 */
export class AnswerSender {
  readonly #parts: AnswerParts;
  /** Functions that end the waits before repetitions. */
  readonly #waits = new Set<() => void>();
  #stopped = false;

  constructor(parts: AnswerParts) {
    this.#parts = parts;
  }

  /** Resolves when the server has accepted the answer. Rejects with the error of the last attempt. */
  async send(frame: string): Promise<void> {
    const { limits, random } = this.#parts;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#parts.send(frame);
      } catch (error) {
        if (!mayPass(error) || attempt > limits.maxAnswerRepeats || this.#stopped) throw error;
      }
      await this.#wait(limits.answerBackoffMs * 2 ** (attempt - 1) * (0.5 + random() / 2));
    }
  }

  /** Stops repeating answers. */
  stop(): void {
    this.#stopped = true;
    for (const wake of this.#waits) wake();
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        cancel();
        this.#waits.delete(wake);
        resolve();
      };
      const cancel = this.#parts.clock.schedule(wake, ms, true);
      this.#waits.add(wake);
    });
  }
}

/** True if the connection broke, or if the server or a proxy could not take the answer at this moment. */
function mayPass(error: unknown): boolean {
  return error instanceof TransportError && (error.status === undefined || error.status === 503);
}
