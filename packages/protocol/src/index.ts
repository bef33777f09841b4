export * from './authorization.js';
export { type Check, describeFlaw, type Flaw } from './check.js';
export type { Cancel, Clock } from './clock.js';
export * from './codec.js';
export * from './connection.js';
export * from './contract.js';
export { withoutControls } from './control-characters.js';
export { detach, failedAnswer, follow, requestIdOf } from './detached.js';
export * from './edge.js';
export * from './errors.js';
export { type ExtensionSettings, settingsIn } from './extensions/contract.js';
export { ExtendedRevisions } from './extensions/extended-revisions.js';
export {
  defineMethod,
  defineNotification,
  type HandledParams,
  type HandledResult,
  type Method,
  type MethodParams,
  type MethodResult,
  type MethodTraits,
  type Notice,
  type NoticeParams,
  type ReceivedParams,
  type RevisionTraits,
} from './extensions/method.js';
export type {
  Shape,
  ShapeInput,
  ShapeIssue,
  ShapeOutput,
  StandardShape,
} from './extensions/shape.js';
export * from './features/annotations.js';
export * from './features/cancellation.js';
export * from './features/capabilities.js';
export * from './features/completion.js';
export * from './features/content.js';
export * from './features/elicitation.js';
export * from './features/input.js';
export * from './features/input-answers.js';
export * from './features/lifecycle.js';
export * from './features/logging.js';
export * from './features/pagination.js';
export * from './features/progress.js';
export * from './features/prompts.js';
export * from './features/resource-contents.js';
export * from './features/resources.js';
export * from './features/roots.js';
export * from './features/sampling.js';
export * from './features/subscriptions.js';
export * from './features/tools.js';
export * from './header-values.js';
export * from './json.js';
export * from './json-rpc.js';
export { type Allowance, type Leniency, type LeniencyName, leniencies, leniencyText } from './leniencies.js';
export * from './meta.js';
export * from './methods.js';
export * from './mirrored-headers.js';
export { isNestedDeeper } from './nesting.js';
export { onlyGuard } from './one-guard.js';
export * from './param-headers.js';
export * from './principal.js';
export * from './revision.js';
export * from './revisions/index.js';
export * from './routing.js';
export { isScope, scopeFlaw } from './scopes.js';
export * from './stores.js';
export { type UnreadId, unreadIdOf } from './unread-id.js';
export { isUrl } from './url.js';
export { RemoteUrlElicitationError, UrlElicitationRequiredError } from './url-elicitation.js';
