export { type HttpProxy, type HttpProxyOptions, recordHttp } from './recordings/http-proxy.js';
export { recordingWrap } from './recordings/recorded-dialer.js';
export { recordStdio, type StdioProxyOptions, type StdioProxyOutcome } from './recordings/stdio-proxy.js';
export type { PassedMessage, RecorderOptions, RecordingSummary } from './recordings/traffic.js';
