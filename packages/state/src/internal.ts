export { isNodeId } from './cluster/cluster-message.js';
export { NodeGoneError } from './cluster/cluster-node.js';
export { digestSegment } from './digest-segment.js';
export { SharedMemory } from './memory/shared-memory.js';
export { namedState } from './named-state.js';
export { type CallerState, quotaOn } from './quota/caller-quota.js';
export { SecretList, type Secrets } from './secret-list.js';
export type { ReplayStore } from './single-use/replay-store.js';
export { replayStoreOn } from './single-use/single-use.js';
