import type { ProgressParams } from '@tenon/mcp-protocol';
import { detach } from '@tenon/mcp-protocol/internal';
import type { SessionLimits } from '../budget/limits.js';
import { Rate } from '../budget/rate.js';
import type { Clock } from '../clock.js';

/** What progress needs of the request it belongs to. */
export interface ProgressSender {
  readonly host: { readonly clock: Clock; readonly limits: Pick<SessionLimits, 'progressPerSecond'> };
  notify(method: 'notifications/progress', params: ProgressParams): Promise<void> | undefined;
}

/**
 * The progress of one request on its way out: it grows, no faster than the limit, and the newest value is held back no longer
 * than the limit wants.
 */
export class ProgressFlow {
  readonly #request: ProgressSender;
  readonly #rate: Rate;
  #last = Number.NEGATIVE_INFINITY;
  #held: ProgressParams | undefined;
  /** Set while a value is held. */
  #cancel: (() => void) | undefined;

  constructor(request: ProgressSender) {
    const { clock, limits } = request.host;
    this.#request = request;
    this.#rate = new Rate(clock, limits.progressPerSecond);
  }

  /** True when a value may go out now; one that comes too fast is held until a later one passes, or its time comes. */
  admits(params: ProgressParams): boolean {
    if (!Number.isFinite(params.progress) || params.progress <= this.#last) return false;
    this.#last = params.progress;
    if (this.#rate.take()) {
      this.end();
      return true;
    }
    this.#held = params;
    this.#arm();
    return false;
  }

  /** Holds nothing back any more; returns the newest value, if it has not gone out. */
  end(): ProgressParams | undefined {
    const held = this.#held;
    this.#held = undefined;
    this.#cancel?.();
    this.#cancel = undefined;
    return held;
  }

  #arm(): void {
    this.#cancel ??= this.#request.host.clock.schedule(() => this.#flush(), this.#rate.wait);
  }

  #flush(): void {
    this.#cancel = undefined;
    if (!this.#rate.take()) {
      // A timer may fire a moment before its time.
      this.#arm();
      return;
    }
    const held = this.end();
    if (held === undefined) return;
    try {
      detach(this.#request.notify('notifications/progress', held), () => {});
    } catch {
      // What cannot be written as JSON is dropped: nothing is there that it could be thrown at.
    }
  }
}
