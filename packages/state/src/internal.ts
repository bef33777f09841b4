export { type ChangedKey, change } from './change/change.js';
export { isNodeId } from './cluster/cluster-message.js';
export { NodeGoneError } from './cluster/cluster-node.js';
export { digestSegment } from './digest-segment.js';
export { SharedMemory } from './memory/shared-memory.js';
export { SecretList, type Secrets } from './secret-list.js';
export type { ReplayStore } from './single-use/replay-store.js';
export { replayStoreOn } from './single-use/single-use.js';
