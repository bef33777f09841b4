import { follow } from '@tenon/mcp-protocol/internal';
import { delayBefore, type ReconnectSettings } from './reconnect-policy.js';

/**
 * Sends requests to a server that cannot be reached, after pauses that grow to the longest of the policy, until the server is
 * reached. The pauses do not keep the process alive.
 */
export class ReachabilityProbes {
  readonly #settings: ReconnectSettings;
  /** Sends one request. The connection detects whether it reaches the server. */
  readonly #send: () => Promise<unknown>;
  #cancel: (() => void) | undefined;
  #sent = 0;

  constructor(settings: ReconnectSettings, send: () => Promise<unknown>) {
    this.#settings = settings;
    this.#send = send;
  }

  /** Schedules the next request. */
  start(): void {
    const { clock, random, policy } = this.#settings;
    if (policy === undefined) return;
    // One more than the count: the failed request was the first attempt.
    const ms = delayBefore(++this.#sent + 1, policy, random);
    const again = () => {
      if (this.#cancel !== undefined) this.start();
    };
    this.#cancel = clock.schedule(() => follow(this.#send(), again, again), ms);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
