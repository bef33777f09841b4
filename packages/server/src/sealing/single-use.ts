import type { State } from '@tenon/mcp-state';
import type { ReplayStore } from '@tenon/mcp-state/internal';
import { loadEngine } from '../run/loading.js';

/** Returns the store of the sealed states that were used. Its code is loaded with the engine of input requests. */
export function usedStates(state: State | undefined): ReplayStore {
  let made: Promise<ReplayStore> | undefined;
  return {
    async remember(owner, id, ttl) {
      made ??= loadEngine().then(({ replayStoreOn }) => replayStoreOn(state));
      return (await made).remember(owner, id, ttl);
    },
  };
}
