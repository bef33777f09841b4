export type {
  Admitted,
  AuthorizationChallenge,
  AuthorizationHeaders,
  AuthorizedRequest,
  Authorizer,
  AuthProvider,
  Guard,
  Guardable,
  GuardedRequest,
  HttpRefusal,
} from './authorization.js';
export type { Flaw, WireCheck } from './check.js';
export type { Cancel, Clock } from './clock.js';
export { type Decoded, decodeParams, decodeResult, encodeParams, encodeResult } from './codec.js';
export type {
  Answer,
  CarrierFacts,
  Connection,
  Envelope,
  Exchange,
  Receiver,
  WorkBounds,
} from './connection.js';
export type { Contract, Contracted, ContractOf, OpenContract } from './contract.js';
export { withoutControls } from './control-characters.js';
export {
  type EdgeView,
  type Inbound,
  type InboundNotification,
  type InboundRequest,
  type InboundResponse,
  type Refusal,
  type RefusalName,
  type Rejection,
  readMessage,
  refusals,
} from './edge.js';
export {
  ErrorCode,
  InsufficientScopeError,
  RemoteError,
  type RemoteErrorOptions,
  RpcError,
  SessionError,
  type SessionErrorReason,
  TransportError,
  type TransportErrorOptions,
} from './errors.js';
export type { ExtensionSettings } from './extensions/contract.js';
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
export type { Shape, ShapeInput, ShapeIssue, ShapeOutput, StandardShape } from './extensions/shape.js';
export type { Annotations, Icon, Implementation, Meta, Role } from './features/annotations.js';
export type { CancelledParams } from './features/cancellation.js';
export type {
  CapabilitySettings,
  ClientCapabilities,
  Extensions,
  ServerCapabilities,
} from './features/capabilities.js';
export type { CompleteParams, CompleteResult, CompletionReference } from './features/completion.js';
export {
  type AudioContent,
  type ContentBlock,
  type EmbeddedResource,
  type ImageContent,
  type ResourceLink,
  type TextContent,
  textOf,
} from './features/content.js';
export type {
  ElicitationCompleteParams,
  ElicitFormParams,
  ElicitParams,
  ElicitResult,
  ElicitUrlParams,
  FormField,
  FormSchema,
  FormValue,
} from './features/elicitation.js';
export {
  type InputRequest,
  type InputRequiredResult,
  type InputResponse,
  isInputRequired,
} from './features/input.js';
export type { InputAnswers } from './features/input-answers.js';
export type { DiscoverResult, InitializeParams, InitializeResult } from './features/lifecycle.js';
export { type LogLevel, type LogParams, logLevels, type SetLevelParams } from './features/logging.js';
export type { CacheHints, EmptyResult, PageParams, PageResult } from './features/pagination.js';
export type { ProgressParams, ProgressToken } from './features/progress.js';
export type {
  GetPromptParams,
  GetPromptResult,
  ListPromptsResult,
  Prompt,
  PromptArgument,
  PromptMessage,
} from './features/prompts.js';
export type { BlobResourceContents, TextResourceContents } from './features/resource-contents.js';
export type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceParams,
  ReadResourceResult,
  Resource,
  ResourceParams,
  ResourceTemplate,
} from './features/resources.js';
export type { ListRootsResult, Root } from './features/roots.js';
export type {
  CreateMessageParams,
  CreateMessageResult,
  ModelPreferences,
  SamplingContent,
  SamplingMessage,
  ToolResultContent,
  ToolUseContent,
} from './features/sampling.js';
export type {
  AcknowledgedParams,
  ListenParams,
  ResourceUpdatedParams,
  SubscriptionFilter,
} from './features/subscriptions.js';
export type {
  CallToolParams,
  CallToolResult,
  ListToolsResult,
  SchemaObject,
  Tool,
  ToolAnnotations,
} from './features/tools.js';
export type { JsonObject, JsonValue, UnknownObject } from './json.js';
export type { RequestId, WireError } from './json-rpc.js';
export { extensionIdFlaw, isReservedMetaKey, MetaKey, metaKeyFlaw, traceKeys } from './meta.js';
export type {
  NotificationMethod,
  NotificationTypes,
  ParamsOf,
  RequestMethod,
  RequestTypes,
  ResultOf,
} from './methods.js';
export type { Principal } from './principal.js';
export type {
  Codec,
  MethodTable,
  NotificationRow,
  Repair,
  Repaired,
  RequestRow,
  RequestStamp,
  Revision,
  Rules,
  Side,
} from './revision.js';
export { findRevision, latest, latestHandshake, latestStateless, revisions } from './revisions/index.js';
export type {
  EventStore,
  ReplayStore,
  SessionRecord,
  SessionStore,
  StoredEvent,
  StreamKey,
} from './stores.js';
export { RemoteUrlElicitationError, UrlElicitationRequiredError } from './url-elicitation.js';
