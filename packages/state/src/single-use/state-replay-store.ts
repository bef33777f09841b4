import { digestSegment } from '../digest-segment.js';
import type { State } from '../state.js';
import type { ReplayStore } from './replay-store.js';

/**
 * Stores in shared state the ids that must not be used twice: one key for each id, which expires with it. The backend bounds their number;
 * owners have no share of their own.
 */
export class StateReplayStore implements ReplayStore {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  /** @throws StateError if the backend cannot tell whether the id is new. */
  async remember(owner: string, id: string, ttl: number): Promise<boolean> {
    const [group, name] = await Promise.all([digestSegment(owner), digestSegment(id)]);
    const written = await this.#state.kv.compareAndSet(`use/${group}/${name}`, '1', {
      expected: undefined,
      ttl: Math.ceil(ttl),
    });
    return written !== undefined;
  }
}
