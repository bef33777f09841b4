export { keySegment, stateLimits } from './keys.js';
export { type MemoryStateOptions, memoryState } from './memory/memory-state.js';
export type {
  AppendOptions,
  ClusterHandler,
  ClusterNode,
  ClusterSettings,
  CompareOptions,
  Fence,
  KeyValueStore,
  Lease,
  LeaseStore,
  LogEntry,
  LogPage,
  LogStore,
  MessageBus,
  Retention,
  State,
  StateStatus,
  StatusListener,
  Subscriber,
  VersionedValue,
  WriteOptions,
} from './state.js';
export { StateError, type StateFailure } from './state.js';
