export { SseMount } from './server/sse-mount.js';
export type { SseLimits, SseOptions } from './server/sse-options.js';
