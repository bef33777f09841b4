// Shared between the packages of Tenon only: not documented, and not covered by semantic versioning.
export { closedError, InFlightRequests } from './connection/in-flight-requests.js';
export { Inbox, type Pausable } from './connection/inbox.js';
export { mediaTypeOf } from './http-sender.js';
export { requireHeaders } from './open-http.js';
export type { AuthorizationPorts } from './request/authorization.js';
export { type BodySink, HttpRequest, type RequestPorts, type ResponseSink } from './request/http-request.js';
export { type PostPorts, PostRequest, type PostSession } from './request/post-request.js';
export { RefusalBody } from './request/refusal.js';
export { RequestHeaders } from './request/request-headers.js';
export { RequestRoute } from './request/route.js';
export { requestFailure } from './request/transport-failure.js';
export { requireSenderChoice, senderOf } from './sender-choice.js';
export { EventReader } from './streams/event-reader.js';
