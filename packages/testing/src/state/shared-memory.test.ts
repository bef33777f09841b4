import { SharedMemory } from '@tenon/mcp-state/internal';
import type { StateBackend } from './backend.js';
import { describeState } from './describe-state.js';

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
