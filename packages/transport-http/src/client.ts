export type { Fetch } from './client/fetch-sender.js';
export type { HttpConnection } from './client/http-connection.js';
export { defaultHttpLimits, type HttpLimits } from './client/http-limits.js';
export { type HttpConnectionOptions, openHttp, requireHttpUrl } from './client/open-http.js';
export type { HeaderSource } from './client/user-headers.js';
