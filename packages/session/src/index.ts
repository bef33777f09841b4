export type { EndpointState } from './admitting.js';
export type {
  Behaviour,
  Cancelled,
  EndpointOptions,
  HandlingBounds,
  NotificationHandler,
  RequestHandler,
} from './behaviour.js';
export { describeCancelled } from './cancelled.js';
export { type Cancel, type Clock, systemClock } from './clock.js';
export { Deadlines } from './deadlines.js';
export { Endpoint } from './endpoint.js';
export { requireServer } from './given-server.js';
export {
  type AskOptions,
  type Conversation,
  IncomingRequest,
  type RequestFacts,
  type RequestHost,
} from './incoming-request.js';
export { totalDeadlineOf } from './input-deadline.js';
export { introductionFlaw, knownCapabilities, knownInfo } from './introduction.js';
export { KeepAlive, type KeepAliveOptions } from './keep-alive.js';
export { defaultLimits, type SessionLimits, withDefaults } from './limits.js';
export { MemoryReplayStore, type MemoryReplayStoreOptions } from './memory-replay-store.js';
export { type Call, type Middleware, type Next, runThrough, type Step } from './middleware.js';
export { answerVersion, commonRevision, noCommon } from './negotiation.js';
export { type OptionRule, type OptionRules, optionRules, requireOptions } from './option-rules.js';
export type { BatchCall } from './outgoing.js';
export type { Progress } from './pending-requests.js';
export { Rate, type RateLimit, requireRate } from './rate.js';
export type { RequestOptions } from './request-options.js';
export { StatelessEndpoint } from './stateless.js';
export { MissingCapabilityError } from './thrown.js';
export { WorkInFlight } from './work-in-flight.js';
