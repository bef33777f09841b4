import { memoryState } from '@tenon/mcp-state';
import type { StateBackend } from './backend.js';
import { describeState } from './describe-state.js';

function backend(): StateBackend {
  let now = 0;
  const state = memoryState({ clock: { now: () => now } });
  return {
    open: () => state,
    advance: async (ms) => {
      now += ms;
    },
  };
}

describeState('memoryState', backend);
