// Shared between the packages of Tenon only: not documented, and not covered by semantic versioning.

export { settingsIn } from './extensions/contract.js';
export { ExtendedRevisions } from './extensions/extended-revisions.js';
export {
  addListenFilter,
  addResultType,
  carryExtensions,
  carryMetadata,
} from './extensions/extension-rows.js';
export { decodeHeaderValue, encodeHeaderValue } from './headers/header-values.js';
export {
  type Headed,
  hasHeaders,
  type Mirrored,
  mirroredHeaders,
  mirrorProblem,
} from './headers/mirrored-headers.js';
export {
  findParamHeaders,
  type ParamHeader,
  type ParamHeaders,
  paramHeaderProblem,
  paramHeaderValues,
} from './headers/param-headers.js';
export { type Route, Routing, standaloneForm } from './headers/routing.js';
export { type Addressee, addresseeOf, idPrefixOf } from './json-rpc/addressee.js';
export { describeProblem } from './json-rpc/check.js';
export { rejectBatch, rejectMalformed, unsupportedVersion } from './json-rpc/edge.js';
export { callName, subjectOf } from './json-rpc/errors.js';
export { isObject } from './json-rpc/json.js';
export {
  errorFrame,
  isRequestId,
  notificationFrame,
  numberIn,
  requestFrame,
  resultFrame,
} from './json-rpc/messages.js';
export { idempotencyKey } from './json-rpc/meta.js';
export { isNestedDeeper } from './json-rpc/nesting.js';
export { strayOutput } from './json-rpc/stray-output.js';
export { type UnreadId, unreadIdOf } from './json-rpc/unread-id.js';
export { isUrl } from './json-rpc/url.js';
export { isBytes, toBase64, withBase64 } from './model/base64.js';
export { fromBase64Url, toBase64Url } from './model/base64url.js';
export { negotiated } from './model/capabilities.js';
export { isScope, scopeProblem } from './model/scopes.js';
export { logLevelProblem } from './model/server/logging.js';
export { subscriptionOf } from './model/server/subscriptions.js';
export { callerName, isOverQuota, stateCallerName, unknownCaller } from './ports/caller-name.js';
export { detach, failedAnswer, follow, requestIdOf } from './ports/detached.js';
export { type EnvironmentProxy, environmentProxy } from './ports/environment-proxy.js';
export { onlyGuard } from './ports/merge-guards.js';
export { stateRule } from './ports/state-rule.js';
export {
  revision20241105,
  revision20250326,
  revision20250618,
  revision20251125,
  revision20260728,
} from './revisions/index.js';
export {
  type Allowance,
  type Leniency,
  type LeniencyName,
  leniencies,
  leniencyText,
} from './revisions/leniencies.js';
