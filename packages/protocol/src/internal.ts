// Shared between the packages of Tenon only: not documented, and not covered by semantic versioning.
export { describeFlaw } from './check.js';
export { detach, failedAnswer, follow, requestIdOf } from './detached.js';
export { rejectBatch, rejectMalformed, unsupportedVersion } from './edge.js';
export { callName, subjectOf } from './errors.js';
export { settingsIn } from './extensions/contract.js';
export { ExtendedRevisions } from './extensions/extended-revisions.js';
export { negotiated } from './features/capabilities.js';
export { logLevelFlaw } from './features/logging.js';
export { subscriptionOf } from './features/subscriptions.js';
export { decodeHeaderValue, encodeHeaderValue } from './header-values.js';
export { isObject } from './json.js';
export {
  errorFrame,
  isRequestId,
  notificationFrame,
  numberIn,
  requestFrame,
  resultFrame,
} from './json-rpc.js';
export { type Allowance, type Leniency, type LeniencyName, leniencies, leniencyText } from './leniencies.js';
export { type Headed, hasHeaders, type Mirrored, mirroredHeaders, mirrorFlaw } from './mirrored-headers.js';
export { isNestedDeeper } from './nesting.js';
export { onlyGuard } from './one-guard.js';
export {
  findParamHeaders,
  type ParamHeader,
  type ParamHeaders,
  paramHeaderFlaw,
  paramHeaderValues,
} from './param-headers.js';
export {
  revision20241105,
  revision20250326,
  revision20250618,
  revision20251125,
  revision20260728,
} from './revisions/index.js';
export { type Route, Routing } from './routing.js';
export { isScope, scopeFlaw } from './scopes.js';
export { type UnreadId, unreadIdOf } from './unread-id.js';
export { isUrl } from './url.js';
