import { memoryState } from '@tenon/mcp-state';
import { describeState } from '../state.js';
import type { StateBackend } from './backend.js';

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
