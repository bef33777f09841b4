// Parts that the HTTP+SSE transport shares are exported as well.
export { closedError, InFlightRequests } from './client/connection/in-flight-requests.js';
export type { HttpConnection } from './client/connection/http-connection.js';
export { defaultHttpLimits, type HttpLimits, httpLimitsOf } from './client/connection/http-limits.js';
export { type Awaiting, Inbox, type InboxParts, type Pausable } from './client/connection/inbox.js';
export { realClock } from './client/connection/real-clock.js';
export type { Fetch } from './client/fetch-sender.js';
export {
  type AnswerHeaders,
  type AnswerSink,
  type HttpExchange,
  type HttpSender,
  headerOf,
  mediaTypeOf,
  type OpenSender,
  type SenderRequest,
  type SenderUse,
} from './client/http-sender.js';
export { type HttpConnectionOptions, openHttp, requireHeaders, requireHttpUrl } from './client/open-http.js';
export type { AuthorizationPorts } from './client/request/authorization.js';
export {
  type BodySink,
  HttpRequest,
  type Outbound,
  type RequestPorts,
  type ResponseSink,
} from './client/request/http-request.js';
export { type PostPorts, PostRequest, type PostSession } from './client/request/post-request.js';
export { Refusal } from './client/request/refusal.js';
export { type HeaderList, RequestHeaders } from './client/request/request-headers.js';
export { Route } from './client/request/route.js';
export { requestFailure } from './client/request/transport-failure.js';
export { flatHeaders, type HeaderSource } from './client/request/user-headers.js';
export { requireSenderChoice, type SenderChoice, senderOf } from './client/sender-choice.js';
export { type EventListener, EventReader } from './client/streams/event-reader.js';
