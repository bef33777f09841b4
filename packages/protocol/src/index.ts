export type { Cancel, Clock } from '@tenon/foundation';
export { withoutControls } from '@tenon/foundation';
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
export type { Problem, WireCheck } from './json-rpc/check.js';
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
} from './json-rpc/edge.js';
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
} from './json-rpc/errors.js';
export type { JsonObject, JsonValue, UnknownObject } from './json-rpc/json.js';
export type { RequestId, WireError } from './json-rpc/messages.js';
export {
  extensionIdProblem,
  isReservedMetaKey,
  MetaKey,
  metaKeyProblem,
  traceKeys,
} from './json-rpc/meta.js';
export type { Annotations, Icon, Implementation, Meta, Role } from './model/annotations.js';
export type { Base64Input, Bytes } from './model/base64.js';
export type { CancelledParams } from './model/cancellation.js';
export type {
  CapabilitySettings,
  ClientCapabilities,
  Extensions,
  ServerCapabilities,
} from './model/capabilities.js';
export type {
  ElicitationCompleteParams,
  ElicitFormParams,
  ElicitParams,
  ElicitResult,
  ElicitUrlParams,
  FormField,
  FormSchema,
  FormValue,
} from './model/client/elicitation.js';
export type { ListRootsResult, Root } from './model/client/roots.js';
export type {
  CreateMessageParams,
  CreateMessageResult,
  ModelPreferences,
  SamplingContent,
  SamplingMessage,
  ToolResultContent,
  ToolUseContent,
} from './model/client/sampling.js';
export { RemoteUrlElicitationError, UrlElicitationRequiredError } from './model/client/url-elicitation.js';
export {
  type AudioContent,
  type ContentBlock,
  type EmbeddedResource,
  type ImageContent,
  type ResourceLink,
  type TextContent,
  textOf,
} from './model/content.js';
export type { Contract, Contracted, ContractOf, OpenContract } from './model/contract.js';
export {
  type InputRequest,
  type InputRequiredResult,
  type InputResponse,
  isInputRequired,
} from './model/input.js';
export type { InputAnswers } from './model/input-answers.js';
export type { DiscoverResult, InitializeParams, InitializeResult } from './model/lifecycle.js';
export type {
  NotificationMethod,
  NotificationTypes,
  ParamsOf,
  RequestMethod,
  RequestTypes,
  ResultOf,
} from './model/methods.js';
export type { CacheHints, EmptyResult, PageParams, PageResult } from './model/pagination.js';
export type { ProgressParams, ProgressToken } from './model/progress.js';
export type { CompleteParams, CompleteResult, CompletionReference } from './model/server/completion.js';
export { type LogLevel, type LogParams, logLevels, type SetLevelParams } from './model/server/logging.js';
export type {
  GetPromptParams,
  GetPromptResult,
  ListPromptsResult,
  Prompt,
  PromptArgument,
  PromptMessage,
} from './model/server/prompts.js';
export type { BlobResourceContents, TextResourceContents } from './model/server/resource-contents.js';
export type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceParams,
  ReadResourceResult,
  Resource,
  ResourceParams,
  ResourceTemplate,
} from './model/server/resources.js';
export type {
  AcknowledgedParams,
  ListenParams,
  ResourceUpdatedParams,
  SubscriptionFilter,
} from './model/server/subscriptions.js';
export type {
  CallToolParams,
  CallToolResult,
  ListToolsResult,
  SchemaObject,
  Tool,
  ToolAnnotations,
} from './model/server/tools.js';
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
} from './ports/authorization.js';
export type {
  Answer,
  CallHistory,
  ClientAnswer,
  Connection,
  Envelope,
  Exchange,
  Receiver,
  SessionSettings,
  SuspendedCall,
  TransportFacts,
  WorkBounds,
} from './ports/connection.js';
export type { Principal } from './ports/principal.js';
export { type Decoded, decodeParams, decodeResult, encodeParams, encodeResult } from './revisions/codec.js';
export { findRevision, latest, latestHandshake, latestStateless, revisions } from './revisions/index.js';
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
} from './revisions/revision.js';
