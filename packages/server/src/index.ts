export {
  type Annotations,
  type Answer,
  type AudioContent,
  type BlobResourceContents,
  type CacheHints,
  type CallToolParams,
  type CallToolResult,
  type Cancel,
  type CapabilitySettings,
  type ClientCapabilities,
  type Clock,
  type CompleteParams,
  type CompleteResult,
  type CompletionReference,
  type Connection,
  type ContentBlock,
  type Contract,
  type Contracted,
  type CreateMessageParams,
  type CreateMessageResult,
  type DiscoverResult,
  defineMethod,
  defineNotification,
  type ElicitFormParams,
  type ElicitParams,
  type ElicitResult,
  type ElicitUrlParams,
  type EmbeddedResource,
  ErrorCode,
  type Exchange,
  type ExtensionSettings,
  type Extensions,
  type FormField,
  type FormSchema,
  type FormValue,
  type GetPromptParams,
  type GetPromptResult,
  type Guard,
  type Guardable,
  type HandledParams,
  type HandledResult,
  type Icon,
  type ImageContent,
  type Implementation,
  type InitializeParams,
  type InitializeResult,
  type InputRequest,
  type InputRequiredResult,
  type InputResponse,
  InsufficientScopeError,
  type JsonObject,
  type JsonValue,
  type ListPromptsResult,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type ListRootsResult,
  type ListToolsResult,
  type LogLevel,
  type LogParams,
  type Meta,
  type Method,
  type MethodParams,
  type MethodResult,
  type MethodTraits,
  type ModelPreferences,
  type Notice,
  type NoticeParams,
  type ParamsOf,
  type Principal,
  type ProgressParams,
  type ProgressToken,
  type Prompt,
  type PromptArgument,
  type PromptMessage,
  type ReadResourceParams,
  type ReadResourceResult,
  type ReceivedParams,
  RemoteError,
  type RemoteErrorOptions,
  type ReplayStore,
  type RequestId,
  type RequestMethod,
  type RequestTypes,
  type Resource,
  type ResourceLink,
  type ResourceTemplate,
  type ResultOf,
  type Revision,
  type RevisionTraits,
  type Role,
  type Root,
  RpcError,
  type SamplingContent,
  type SamplingMessage,
  type SchemaObject,
  type ServerCapabilities,
  SessionError,
  type SessionErrorReason,
  type Shape,
  type ShapeInput,
  type ShapeIssue,
  type ShapeOutput,
  type StandardShape,
  type SubscriptionFilter,
  type TextContent,
  type TextResourceContents,
  type Tool,
  type ToolAnnotations,
  type ToolResultContent,
  type ToolUseContent,
  TransportError,
  type TransportErrorOptions,
  textOf,
  type UnknownObject,
  UrlElicitationRequiredError,
  type WireError,
  withoutControls,
} from '@tenon/mcp-protocol';
export {
  type Call,
  type Cancelled,
  type Endpoint,
  type IncomingRequest,
  type KeepAliveOptions,
  MemoryReplayStore,
  type MemoryReplayStoreOptions,
  type Middleware,
  MissingCapabilityError,
  type Next,
  type RateLimit,
  type SessionLimits,
} from '@tenon/mcp-session';
export { type RedactOptions, type Redactor, redact, redactText } from '@tenon/redaction';
export type { StateKey } from './asking/sealing.js';
export { isSuspension } from './asking/suspension.js';
export type { PublishFilter } from './audience.js';
export { type CleanOptions, cleanResults } from './clean-results.js';
export type { Context } from './context.js';
export type { CacheOptions } from './definition.js';
export type { DetachedPorts } from './detached-call.js';
export {
  defineExtension,
  type EntryRegistrar,
  type ExtendedResult,
  type ExtensionHost,
  type InterceptedCall,
  listen,
  type ReceivedNotice,
  type ServedMethod,
  type ServerExtension,
  serve,
} from './extensions/extension.js';
export type { ListenFilter, OfferedExtension, ToolOption } from './extensions/offered.js';
export type { Completer, Completers, CompletionContext, CompletionReturn } from './features/completers.js';
export type { MethodHandler, MethodOptions } from './features/custom-methods.js';
export type { Elicited, ElicitForm, ElicitPage } from './features/elicitation.js';
export type { PromptOptions } from './features/prompt-options.js';
export type { PromptReturn } from './features/prompts.js';
export type {
  ResourceHandler,
  ResourceInput,
  ResourceOptions,
  ResourceReturn,
} from './features/resource-options.js';
export { type SuggestOptions, type SuggestSource, suggest } from './features/suggest.js';
export type { ToolOptions } from './features/tool-options.js';
export type { HandleEnd, HandleOptions } from './handle-options.js';
export { createHandles, type HandleCaller, type Handles } from './handles.js';
export { defaultServerLimits, type ServerLimits } from './limits.js';
export type { ServerOptions } from './options.js';
export { defaultRates, type RateOptions } from './rates.js';
export type { Visibility } from './registry.js';
export type { InferInput, InferOutput, Schema } from './schemas/schema.js';
export type { Check, CheckUse, Validator, ValueIssue } from './schemas/validator.js';
export { createServer, type EmptyContract, Server } from './server.js';
export { ToolError } from './tool-error.js';
export type { ToolReturn } from './tool-result.js';
