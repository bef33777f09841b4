import type { Clock } from '@tenon/foundation';
import type { State } from '../state.js';
import { MemoryReplayStore } from './memory-replay-store.js';
import type { ReplayStore } from './replay-store.js';
import { StateReplayStore } from './state-replay-store.js';

/** Returns the store of single-use ids for a state: shared between processes if the state is, else in this process. */
export function replayStoreOn(state: State | undefined, clock?: Pick<Clock, 'now'>): ReplayStore {
  if (state?.join !== undefined) return new StateReplayStore(state);
  return new MemoryReplayStore(clock === undefined ? {} : { clock });
}
