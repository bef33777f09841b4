export type { Launch } from './child.js';
export { inheritedEnvironment } from './child-environment.js';
export type { Delay } from './delay.js';
export type { FramingOptions } from './framing-options.js';
export type { Kill } from './process-group.js';
export type { ReapingWaits } from './reaping.js';
export { type ChildConnection, type SpawnOptions, spawnConnection } from './spawn-connection.js';
export { type StdioOptions, stdioConnection, streamConnection } from './stream-connection.js';
export { onTermination } from './termination.js';
