// Shared between the packages of Tenon only: not documented, and not covered by semantic versioning.
export { expiryOf } from './admission/expiry.js';
export { Gate } from './admission/gate.js';
export { hostnameOf, isLoopback } from './admission/loopback.js';
export { Traffic, trafficSettings } from './admission/traffic.js';
export { getRefusal, postRefusal } from './endpoint/content-rules.js';
export { workBounds } from './endpoint/http-limits.js';
export { messageOf } from './endpoint/message-body.js';
export { internalError, refuse } from './endpoint/refusal.js';
export { unfailing } from './endpoint/unfailing.js';
export { ownerOf } from './sessions/http-session.js';
export { keepAliveText, streamHeaders } from './streams/event-text.js';
export { Heartbeat, type HeartbeatListener } from './streams/heartbeat.js';
export { MemoryEventStore } from './streams/memory-event-store.js';
