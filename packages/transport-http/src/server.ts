export type { Authenticate, CorsOptions, GateOptions } from './server/admission/gate-options.js';
export type { TrafficLimits } from './server/admission/traffic.js';
export type { Application, Guarding, SessionEnd, SettledSession } from './server/endpoint/application.js';
export type { Body, BodyProblem, Headers, HttpCall } from './server/endpoint/http-call.js';
export { defaultHttpLimits, type HttpLimits } from './server/endpoint/http-limits.js';
export type { HttpOptions, SessionOptions } from './server/endpoint/http-options.js';
export type { Mount, SideMount } from './server/endpoint/mount.js';
export { type FetchGiven, type FetchHandler, fetchHandler } from './server/fetch/fetch-handler.js';
