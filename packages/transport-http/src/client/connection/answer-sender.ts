import { type Clock, pause } from '@tenon/foundation';
import { TransportError } from '@tenon/mcp-protocol';
import type { HttpClientBounds } from '../request/http-limits.js';

/** The parts of the connection that an {@link AnswerSender} uses. */
export interface AnswerParts {
  readonly limits: Pick<HttpClientBounds, 'maxAnswerRepeats' | 'answerBackoffMs'>;
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
  /** Ends the waits before repetitions. */
  readonly #stop = new AbortController();

  constructor(parts: AnswerParts) {
    this.#parts = parts;
  }

  /** Resolves when the server has accepted the answer. Rejects with the error of the last attempt. */
  async send(frame: string): Promise<void> {
    const { clock, limits, random } = this.#parts;
    const { signal } = this.#stop;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#parts.send(frame);
      } catch (error) {
        if (!mayPass(error) || attempt > limits.maxAnswerRepeats || signal.aborted) throw error;
      }
      const ms = limits.answerBackoffMs * 2 ** (attempt - 1) * (0.5 + random() / 2);
      await pause(clock, ms, { signal, holds: true });
    }
  }

  /** Stops repeating answers. */
  stop(): void {
    this.#stop.abort();
  }
}

/** True if the connection broke, or if the server or a proxy could not take the answer at this moment. */
function mayPass(error: unknown): boolean {
  return error instanceof TransportError && (error.status === undefined || error.status === 503);
}
