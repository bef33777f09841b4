export { defaultLimits, type SessionLimits, withDefaults } from './budget/limits.js';
export { Rate, type RateLimit, requireRate } from './budget/rate.js';
export { WorkInFlight } from './budget/work-in-flight.js';
export { type Cancel, type Clock, systemClock } from './clock.js';
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
export { requireServer } from './endpoint/given-server.js';
export { introductionFlaw, knownCapabilities, knownInfo } from './endpoint/introduction.js';
export type { Lifecycle } from './endpoint/lifecycle.js';
export { answerVersion, commonRevision, noCommon } from './endpoint/negotiation.js';
export { statelessEndpoint } from './endpoint/stateless-endpoint.js';
export { describeCancelled } from './incoming/cancelled.js';
export { Deadlines } from './incoming/deadlines.js';
export {
  type AskOptions,
  type Conversation,
  IncomingRequest,
  type RequestFacts,
  type RequestHost,
} from './incoming/incoming-request.js';
export { totalDeadlineOf } from './incoming/input-deadline.js';
export { type Call, type Middleware, type Next, runThrough, type Step } from './incoming/middleware.js';
export { MissingCapabilityError } from './incoming/thrown.js';
export { MemoryReplayStore, type MemoryReplayStoreOptions } from './memory-replay-store.js';
export { type OptionRule, type OptionRules, optionRules, requireOptions } from './option-rules.js';
export { KeepAlive, type KeepAliveOptions } from './outgoing/keep-alive.js';
export type { Progress } from './outgoing/pending-requests.js';
export type { RequestOptions } from './outgoing/request-options.js';
export type { BatchCall } from './outgoing/sending.js';
export { printable } from './printable.js';
