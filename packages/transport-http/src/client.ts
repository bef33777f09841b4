export type { HttpConnection } from './client/connection/http-connection.js';
export { defaultHttpClientLimits, type HttpClientLimits } from './client/connection/http-limits.js';
export type { Fetch } from './client/fetch-sender.js';
export type {
  AnswerHeaders,
  AnswerSink,
  HttpExchange,
  HttpSender,
  OpenSender,
  SenderRequest,
  SenderUse,
} from './client/http-sender.js';
export { type HttpConnectionOptions, openHttp, requireHttpUrl } from './client/open-http.js';
export type { HeaderSource } from './client/request/user-headers.js';
export type { SenderChoice } from './client/sender-choice.js';
