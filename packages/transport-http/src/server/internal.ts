// Shared between the packages of Tenon only: not documented, and not covered by semantic versioning.

export { hostnameOf, isLoopback } from './admission/host-rules.js';
export { RequestGuard } from './admission/request-guard.js';
export { expiryOf } from './admission/sender.js';
export { Traffic, trafficSettings } from './admission/traffic.js';
export { unfailing } from './call/application.js';
export { getRefusal, postRefusal } from './call/content-rules.js';
export { keepAliveText, streamHeaders } from './call/event-text.js';
export { Heartbeat, type HeartbeatListener } from './call/heartbeat.js';
export { type HttpBounds, httpBoundsOf, workBounds } from './call/http-limits.js';
export { messageOf } from './call/message-body.js';
export { internalError, refuse } from './call/refusal.js';
export { ownerOf } from './sessions/http-session.js';
export { MemoryEventStore } from './streams/memory-event-store.js';
