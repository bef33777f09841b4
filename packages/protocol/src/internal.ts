// Shared between the packages of Tenon only: not documented, and not covered by semantic versioning.

export type { Allowance } from './codec/relax.js';
export { rejectBatch, rejectMalformed, unsupportedVersion } from './edge/edge.js';
export { encodeHeaderValue } from './edge/header-values.js';
export { hasHeaders, mirroredHeaders } from './edge/mirrored-headers.js';
export {
  findParamHeaders,
  type ParamHeader,
  paramHeaderProblem,
  paramHeaderValues,
} from './edge/param-headers.js';
export { type Route, Routing, standaloneForm } from './edge/routing.js';
export { ExtendedRevisions } from './extensions/extended-revisions.js';
export {
  addListenFilter,
  addResultType,
  carryExtensions,
  carryMetadata,
} from './extensions/extension-rows.js';
export { settingsIn } from './extensions/method.js';
export { addresseeOf, idPrefixOf } from './json-rpc/addressee.js';
export { describeProblem } from './json-rpc/check.js';
export { callName, strayOutput, subjectOf } from './json-rpc/errors.js';
export { isNestedDeeper, isObject } from './json-rpc/json.js';
export {
  errorFrame,
  isRequestId,
  notificationFrame,
  numberIn,
  requestFrame,
  resultFrame,
  type UnreadId,
  unreadIdOf,
} from './json-rpc/messages.js';
export { isHttpsOrLoopback, isUrl } from './json-rpc/url.js';
export { isBytes, withBase64 } from './model/base64.js';
export { negotiated } from './model/capabilities.js';
export { logLevelProblem } from './model/logging.js';
export { isScope, scopeProblem } from './model/scopes.js';
export { subscriptionOf } from './model/subscriptions.js';
export { onlyGuard } from './ports/authorization.js';
export { failedAnswer, requestIdOf } from './ports/detached.js';
export { type EnvironmentProxy, environmentProxy } from './ports/environment-proxy.js';
export { callerName, unknownCaller } from './ports/principal.js';
export { isOverQuota, stateCallerName, stateFailureOf, stateRule } from './ports/state.js';
export {
  revision20241105,
  revision20250326,
  revision20250618,
  revision20251125,
  revision20260728,
} from './revisions/index.js';
export { leniencies, leniencyText } from './revisions/leniencies.js';
