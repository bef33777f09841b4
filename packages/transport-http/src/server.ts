export { expiryOf } from './server/admission/expiry.js';
export { Gate } from './server/admission/gate.js';
export type { Authenticate, CorsOptions, GateOptions } from './server/admission/gate-options.js';
export { isAnonymous } from './server/admission/scopes-lacking.js';
export { callerOf } from './server/admission/sender.js';
export {
  Traffic,
  type TrafficLimits,
  type TrafficSettings,
  trafficSettings,
} from './server/admission/traffic.js';
export type { Application, Guarding, SessionEnd, SettledSession } from './server/endpoint/application.js';
export { getRefusal, postRefusal } from './server/endpoint/content-rules.js';
export type { Body, BodyFlaw, Headers, HttpCall } from './server/endpoint/http-call.js';
export { defaultHttpLimits, type HttpLimits, httpLimits, workBounds } from './server/endpoint/http-limits.js';
export type { HttpOptions, SessionOptions } from './server/endpoint/http-options.js';
export { HttpService } from './server/endpoint/http-service.js';
export { type Message, messageOf } from './server/endpoint/message-body.js';
export type { Mount, SideMount } from './server/endpoint/mount.js';
export { internalError, refuse } from './server/endpoint/refusal.js';
export { unfailing } from './server/endpoint/unfailing.js';
export { type FetchGiven, type FetchHandler, fetchHandler } from './server/fetch/fetch-handler.js';
export { ownerOf } from './server/sessions/http-session.js';
export { MemorySessionStore } from './server/sessions/memory-session-store.js';
export { eventText, keepAliveText, streamHeaders } from './server/streams/event-text.js';
export { Heartbeat, type HeartbeatListener } from './server/streams/heartbeat.js';
export {
  defaultMemoryEventLimits,
  type MemoryEventLimits,
  MemoryEventStore,
} from './server/streams/memory-event-store.js';
