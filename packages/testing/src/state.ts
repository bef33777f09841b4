export { SharedMemory } from '@tenon/mcp-state/internal';
export type { StateBackend } from './state/backend.js';
export { describeState } from './state/describe-state.js';
