export type { Application, Guarding, SessionEnd, SettledSession } from './server/application.js';
export { getRefusal, postRefusal } from './server/content-rules.js';
export { eventText, keepAliveText, streamHeaders } from './server/event-text.js';
export { expiryOf } from './server/expiry.js';
export { type FetchGiven, type FetchHandler, fetchHandler } from './server/fetch-handler.js';
export { Gate } from './server/gate.js';
export type { Authenticate, CorsOptions, GateOptions } from './server/gate-options.js';
export { Heartbeat, type HeartbeatListener } from './server/heartbeat.js';
export type { Body, BodyFlaw, Headers, HttpCall } from './server/http-call.js';
export { defaultHttpLimits, type HttpLimits, httpLimits, workBounds } from './server/http-limits.js';
export type { HttpOptions, SessionOptions } from './server/http-options.js';
export { HttpService } from './server/http-service.js';
export { ownerOf } from './server/http-session.js';
export {
  defaultMemoryEventLimits,
  type MemoryEventLimits,
  MemoryEventStore,
} from './server/memory-event-store.js';
export { MemorySessionStore } from './server/memory-session-store.js';
export { type Message, messageOf } from './server/message-body.js';
export type { Mount, SideMount } from './server/mount.js';
export { internalError, refuse } from './server/refusal.js';
export { isAnonymous } from './server/scopes-lacking.js';
export { callerOf } from './server/sender.js';
export { Traffic, type TrafficLimits, type TrafficSettings, trafficSettings } from './server/traffic.js';
export { unfailing } from './server/unfailing.js';
