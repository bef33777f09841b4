import { SharedMemory } from '@tenon/mcp-state/internal';
import { describeState } from '../state.js';
import type { StateBackend } from './backend.js';

describeState('state in memory that several servers share', (): StateBackend => {
  let now = 0;
  const memory = new SharedMemory({ clock: { now: () => now } });
  return {
    open: () => memory.open(),
    async advance(ms) {
      now += ms;
    },
    async interrupt() {
      memory.interrupt();
      memory.restore();
    },
  };
});
