export { type Cancel, type Clock, systemClock } from '@tenon/foundation';
export { defaultLimits, type SessionLimits } from './budget/limits.js';
export { Rate, type RateLimit } from './budget/rate.js';
export { WorkInFlight } from './budget/work-in-flight.js';
export type { EndpointState } from './endpoint/admitting.js';
export type {
  Behaviour,
  Cancelled,
  EndpointOptions,
  HandlingBounds,
  NotificationHandler,
  RequestHandler,
} from './endpoint/behaviour.js';
export { Endpoint } from './endpoint/endpoint.js';
export type { Lifecycle } from './endpoint/lifecycle.js';
export { statelessEndpoint } from './endpoint/stateless-endpoint.js';
export { Deadlines } from './incoming/deadlines.js';
export {
  type Conversation,
  IncomingRequest,
  type RelatedRequestOptions,
  type RequestFacts,
  type RequestHost,
} from './incoming/incoming-request.js';
export type { Call, Middleware, Next } from './incoming/middleware.js';
export { MissingCapabilityError } from './incoming/thrown.js';
export { KeepAlive, type KeepAliveOptions } from './outgoing/keep-alive.js';
export type { Progress } from './outgoing/pending-requests.js';
export type { RequestOptions } from './outgoing/request-options.js';
export type { BatchCall } from './outgoing/sending.js';
