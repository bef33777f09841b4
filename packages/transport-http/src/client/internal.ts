// Shared between the packages of Tenon only: not documented, and not covered by semantic versioning.

export { type PostPorts, PostRequest, type PostSession } from './connection/post-request.js';
export type { AuthorizationPorts } from './request/authorization.js';
export { type HttpClientBounds, httpClientBoundsOf } from './request/http-limits.js';
export { type BodySink, HttpRequest, type RequestPorts, type ResponseSink } from './request/http-request.js';
export { closedError, InFlightRequests } from './request/in-flight-requests.js';
export { Inbox, type Pausable } from './request/inbox.js';
export { RefusalBody } from './request/refusal.js';
export { RequestHeaders } from './request/request-headers.js';
export { RequestRoute } from './request/route.js';
export { requireHeaders } from './request/user-headers.js';
export { mediaTypeOf } from './sender/http-sender.js';
export { requireSenderChoice, senderOf } from './sender/sender-choice.js';
export { requestFailure } from './sender/transport-failure.js';
export { EventReader } from './streams/event-reader.js';
