export { type Cancel, type Clock, systemClock } from '@tenon/foundation';
export { Endpoint } from './conversation/endpoint.js';
export { KeepAlive, type KeepAliveOptions } from './conversation/keep-alive.js';
export type { EndpointOptions, Lifecycle } from './conversation/lifecycle.js';
export { statelessEndpoint } from './conversation/stateless-endpoint.js';
export { MissingCapabilityError } from './incoming/thrown.js';
export { Deadlines } from './limits/deadlines.js';
export { defaultLimits, type SessionBounds, type SessionLimits } from './limits/limits.js';
export { Rate, type RateLimit } from './limits/rate.js';
export { WorkInFlight } from './limits/work-in-flight.js';
export type { BatchCall } from './outgoing/sending.js';
export type {
  Behaviour,
  Cancelled,
  EndpointState,
  HandlingBounds,
  NotificationHandler,
  RequestHandler,
} from './requests/behaviour.js';
export {
  type CallRequest,
  type CarriedTexts,
  type Conversation,
  IncomingRequest,
  type RelatedRequestOptions,
  type RequestFacts,
  type RequestHost,
} from './requests/incoming-request.js';
export type { Call, Middleware, Next } from './requests/middleware.js';
export { RequestObserver } from './requests/request-observer.js';
export type { Progress, RequestOptions } from './requests/request-options.js';
