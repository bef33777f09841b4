import type { TransportError } from '@tenon/mcp-protocol';
import { isUnreachable, transportFailure } from '../request/transport-failure.js';

/** Tracks whether the server of one connection can be reached, by the results of its requests. */
export class Reachability {
  /** The error that shows the server cannot be reached; undefined while it can be. */
  failure: TransportError | undefined;
  /** Called when `failure` is set or cleared. */
  onChange: ((failure: TransportError | undefined) => void) | undefined;
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Called when any response has arrived. */
  reached(): void {
    if (this.failure === undefined) return;
    this.failure = undefined;
    this.onChange?.(undefined);
  }

  /** Called when a request has failed without a response. */
  failed(error: unknown): void {
    if (this.failure !== undefined || !isUnreachable(error)) return;
    this.failure = transportFailure(error, this.#origin);
    this.onChange?.(this.failure);
  }
}
