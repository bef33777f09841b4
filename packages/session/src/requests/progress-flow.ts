import { type Clock, detach } from '@tenon/foundation';
import type { ProgressParams } from '@tenon/mcp-protocol';
import type { SessionBounds } from '../limits/limits.js';
import { Rate } from '../limits/rate.js';

/** The dependencies of progress. */
export interface ProgressSender {
  readonly host: { readonly clock: Clock; readonly limits: Pick<SessionBounds, 'progressPerSecond'> };
  notify(method: 'notifications/progress', params: ProgressParams): Promise<void> | undefined;
}

/**
 * The outbound progress of one request: it grows, no faster than the rate limit, and the newest value is held back no longer
 * than the limit requires.
 */
export class ProgressFlow {
  readonly #request: ProgressSender;
  readonly #rate: Rate;
  #last = Number.NEGATIVE_INFINITY;
  #held: ProgressParams | undefined;
  /** Set while a value is held back. */
  #cancel: (() => void) | undefined;

  constructor(request: ProgressSender) {
    const { clock, limits } = request.host;
    this.#request = request;
    this.#rate = new Rate(clock, limits.progressPerSecond);
  }

  /** Returns true if a value may be sent now. A value that is too fast is held back until the limit allows it or a newer one replaces it. */
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

  /** Stops holding values back. Returns the newest value, if it has not been sent. */
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
      // A value that cannot be written as JSON is dropped: there is no caller to throw to.
    }
  }
}
