export type { Authorizing } from './client/authorizing.js';
// What the older transport over HTTP is made of as well.
export { carrierFailure } from './client/carrier-failure.js';
export { type EventListener, EventReader } from './client/event-reader.js';
export type { Fetch } from './client/fetch-sender.js';
export type { HttpConnection } from './client/http-connection.js';
export { defaultHttpLimits, type HttpLimits, httpLimitsOf } from './client/http-limits.js';
export {
  type AnswerHeaders,
  type AnswerSink,
  type HttpExchange,
  type HttpRequest,
  type HttpSender,
  headerOf,
  mediaTypeOf,
  type OpenSender,
  type SenderUse,
} from './client/http-sender.js';
export { type Awaiting, Inbox, type InboxParts, type Pausable } from './client/inbox.js';
export { type HttpConnectionOptions, openHttp, requireHeaders, requireHttpUrl } from './client/open-http.js';
export { closedError, type Departing, Outstanding, type OutstandingParts } from './client/outstanding.js';
export { realClock } from './client/real-clock.js';
export { type Refused, refusalError } from './client/refusal.js';
export { type Outbound, type Outlet, Reply } from './client/reply.js';
export { type HeaderList, RequestHeaders } from './client/request-headers.js';
export { Route } from './client/route.js';
export { requireSenderChoice, type SenderChoice, senderOf } from './client/sender-choice.js';
export { TextBody } from './client/text-body.js';
export { flatHeaders, type HeaderSource } from './client/user-headers.js';
