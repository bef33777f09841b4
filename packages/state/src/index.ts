export { keySegment, stateLimits } from './keys.js';
export { type MemoryStateOptions, memoryState } from './memory/memory-state.js';
export type {
  AppendOptions,
  CompareOptions,
  Fence,
  JoinSettings,
  KeyValueStore,
  Lease,
  LeaseStore,
  LogEntry,
  LogPage,
  LogStore,
  MessageBus,
  Processes,
  ProcessMessageHandler,
  Retention,
  State,
  StateStatus,
  StatusListener,
  Subscriber,
  VersionedValue,
  WriteOptions,
} from './state.js';
export { StateError, type StateFailure } from './state.js';
