import type { ProgressParams } from '@tenon/mcp-protocol';
import type { Clock } from './clock.js';
import { Rate } from './rate.js';

/** The progress of one request on its way out: it grows, and no faster than the limit. */
export class ProgressFlow {
  readonly #rate: Rate;
  #last = Number.NEGATIVE_INFINITY;
  #held: ProgressParams | undefined;

  constructor(clock: Clock, perSecond: number) {
    this.#rate = new Rate(clock, perSecond);
  }

  /** True when a value may go out now; one that comes too fast is held until a later one passes. */
  admits(params: ProgressParams): boolean {
    if (!Number.isFinite(params.progress) || params.progress <= this.#last) return false;
    this.#last = params.progress;
    const passes = this.#rate.take();
    this.#held = passes ? undefined : params;
    return passes;
  }

  /** The newest value, if it has not gone out. */
  get held(): ProgressParams | undefined {
    return this.#held;
  }
}
