export type {
  Authenticate,
  CorsOptions,
  RequestGuardOptions,
} from './server/admission/request-guard-options.js';
export type { TrafficLimits } from './server/admission/traffic.js';
export type { Application, ServerGuard, SessionEnd, SettledSession } from './server/call/application.js';
export type { Body, BodyProblem, Headers, HttpCall } from './server/call/http-call.js';
export type { HttpLimits } from './server/call/http-limits.js';
export { type FetchGiven, type FetchHandler, fetchHandler } from './server/fetch/fetch-handler.js';
export type { HttpOptions, SessionOptions } from './server/http-options.js';
export type { Mount, SideMount } from './server/http-service.js';
