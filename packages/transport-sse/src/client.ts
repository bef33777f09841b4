export { openSse, type SseConnectionOptions } from './client/open-sse.js';
export type { SseConnection } from './client/sse-connection.js';
export { defaultSseClientLimits, type SseClientLimits } from './client/sse-limits.js';
