export type { Launch } from './child/child.js';
export { inheritedEnvironment } from './child/child-environment.js';
export type { Kill } from './child/process-group.js';
export type { ReapingWaits } from './child/reaping.js';
export { type ChildConnection, type SpawnOptions, spawnConnection } from './child/spawn-connection.js';
export type { Delay } from './framing/delay.js';
export type { FramingOptions } from './framing/framing-options.js';
export { type StdioOptions, stdioConnection, streamConnection } from './framing/stream-connection.js';
export { onTermination } from './process/termination.js';
