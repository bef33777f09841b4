export type { Delay } from './framing/delay.js';
export type { FramingOptions } from './framing/framing-options.js';
export { type StdioOptions, stdioConnection, streamConnection } from './framing/stream-connection.js';
export { type ProcessConnectionOptions, processConnection } from './process/process-connection.js';
export { onTermination } from './process/termination.js';
