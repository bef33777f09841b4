export { type Cancel, type Clock, withoutControls } from '@tenon/foundation';
export { type Decoded, decodeParams, decodeResult, encodeParams, encodeResult } from './codec/codec.js';
export { encodeInputRequest, encodeToolResult } from './codec/core-shapes.js';
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
} from './codec/revision.js';
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
} from './edge/edge.js';
export {
  type CustomNotification,
  type CustomNotificationParams,
  defineMethod,
  defineNotification,
  type ExtensionSettings,
  type HandledParams,
  type HandledResult,
  type Method,
  type MethodParams,
  type MethodResult,
  type MethodTraits,
  type ReceivedParams,
  type RevisionTraits,
} from './extensions/method.js';
export type { Shape, ShapeInput, ShapeIssue, ShapeOutput, StandardShape } from './extensions/shape.js';
export type { Problem, WireCheck } from './json-rpc/check.js';
export {
  ErrorCode,
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
export type {
  CapabilitySettings,
  ClientCapabilities,
  Extensions,
  ServerCapabilities,
} from './model/capabilities.js';
export type { CompleteParams, CompleteResult, CompletionReference } from './model/completion.js';
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
  type ElicitationCompleteParams,
  type ElicitFormParams,
  type ElicitParams,
  type ElicitResult,
  type ElicitUrlParams,
  type FormField,
  type FormSchema,
  type FormValue,
  RemoteUrlElicitationError,
  UrlElicitationRequiredError,
} from './model/elicitation.js';
export {
  type InputRequest,
  type InputRequiredResult,
  type InputResponse,
  isInputRequired,
  type ListRootsResult,
  type Root,
} from './model/input.js';
export type {
  CancelledParams,
  DiscoverResult,
  InitializeParams,
  InitializeResult,
  ProgressParams,
  ProgressToken,
} from './model/lifecycle.js';
export { type LogLevel, type LogParams, logLevels, type SetLevelParams } from './model/logging.js';
export type {
  CacheHints,
  EmptyResult,
  InputAnswers,
  PageParams,
  PageResult,
} from './model/message-members.js';
export type {
  NotificationMethod,
  NotificationTypes,
  ParamsOf,
  RequestMethod,
  RequestTypes,
  ResultOf,
} from './model/methods.js';
export type {
  GetPromptParams,
  GetPromptResult,
  ListPromptsResult,
  Prompt,
  PromptArgument,
  PromptMessage,
} from './model/prompts.js';
export type {
  BlobResourceContents,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceParams,
  ReadResourceResult,
  Resource,
  ResourceParams,
  ResourceTemplate,
  TextResourceContents,
} from './model/resources.js';
export type {
  CreateMessageParams,
  CreateMessageResult,
  ModelPreferences,
  SamplingContent,
  SamplingMessage,
  ToolResultContent,
  ToolUseContent,
} from './model/sampling.js';
export { InsufficientScopeError } from './model/scopes.js';
export type {
  AcknowledgedParams,
  ListenParams,
  ResourceUpdatedParams,
  SubscriptionFilter,
} from './model/subscriptions.js';
export type {
  CallToolParams,
  CallToolResult,
  ListToolsResult,
  SchemaObject,
  Tool,
  ToolAnnotations,
} from './model/tools.js';
export type {
  Admitted,
  AuthorizationChallenge,
  AuthorizationHeaders,
  AuthorizedRequest,
  Authorizer,
  AuthProvider,
  Guard,
  GuardedRequest,
  GuardTarget,
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
  SharedSessionPort,
  SuspendedCall,
  TransportFacts,
  WorkBounds,
} from './ports/connection.js';
export type { Principal } from './ports/principal.js';
export { findRevision, latest, latestHandshake, latestStateless, revisions } from './revisions/index.js';
