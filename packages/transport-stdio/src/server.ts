export type { Delay } from './delay.js';
export type { FramingOptions } from './framing-options.js';
export { type ProcessConnectionOptions, processConnection } from './process-connection.js';
export { type StdioOptions, stdioConnection, streamConnection } from './stream-connection.js';
export { onTermination } from './termination.js';
