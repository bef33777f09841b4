export {
  type Annotations,
  type AudioContent,
  type AuthProvider,
  type Base64Input,
  type BlobResourceContents,
  type Bytes,
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
  type ContractOf,
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
  type ExtensionSettings,
  type Extensions,
  type FormField,
  type FormSchema,
  type FormValue,
  type GetPromptParams,
  type GetPromptResult,
  type HandledParams,
  type HandledResult,
  type Icon,
  type ImageContent,
  type Implementation,
  type InitializeParams,
  type InitializeResult,
  type InputRequest,
  type InputRequiredResult,
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
  type OpenContract,
  type PageResult,
  type ParamsOf,
  type Prompt,
  type PromptArgument,
  type PromptMessage,
  type ReadResourceParams,
  type ReadResourceResult,
  type ReceivedParams,
  RemoteError,
  type RemoteErrorOptions,
  RemoteUrlElicitationError,
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
  type WireError,
} from '@tenon/mcp-protocol';
export type {
  BatchCall,
  Call,
  Cancelled,
  Endpoint,
  IncomingRequest,
  KeepAliveOptions,
  Middleware,
  Next,
  Progress,
  RateLimit,
  RequestOptions,
  SessionLimits,
} from '@tenon/mcp-session';
export { type RedactOptions, type Redactor, redact, redactText } from '@tenon/redaction';
export {
  type CachedResponse,
  type CachePlace,
  MemoryCache,
  type MemoryCacheLimits,
  type ResponseCache,
} from './cache/response-cache.js';
export type { BatchCalls, BatchResults } from './calls/batch.js';
export type { CallOptions } from './calls/call-options.js';
export type { FinalResultOf } from './calls/caller.js';
export type { UnverifiedOutput } from './calls/output-schemas.js';
export { Client, type ClientOf } from './client.js';
export { connect, type ExtendedClient } from './connect/connect.js';
export type { CommandTarget, ConnectionFactory, Dialer, UrlOptions } from './connect/dialer.js';
export {
  type ClientLimits,
  type ClientOptions,
  type ConnectOptions,
  defaultClientLimits,
  type ExtraCapabilities,
} from './connect/options.js';
export type { Target } from './connect/target.js';
export { defineExtension, listen, serve } from './extensions/define-extension.js';
export type {
  ClientContributions,
  ExtendedCall,
  ExtensionClient,
  ReceivedNotice,
  ResultType,
  ServedMethod,
} from './extensions/extension.js';
export type { ClientExtension, MembersOf } from './extensions/installation.js';
export type { CompletionQuery } from './features/completion.js';
export type { ClientMethodHandler, MethodContext } from './features/custom-methods.js';
export type { OnElicit, OnElicitUrl } from './features/elicitation.js';
export { type Page, Pages } from './features/pagination.js';
export type { PromptArguments, PromptName } from './features/prompts.js';
export { isResourceNotFound } from './features/resources.js';
export type { LiveRoots, RootSource } from './features/roots.js';
export type { OnSample } from './features/sampling.js';
export type { Watch } from './features/subscriptions/subscriptions.js';
export type { Change, WatchFilter } from './features/subscriptions/watcher.js';
export type {
  CallArguments,
  ToolInput,
  ToolName,
  ToolOutput,
  ToolResult,
  UntypedOutput,
  UntypedValue,
} from './features/tools.js';
export { expandTemplate, type TemplateValues } from './features/uri-template.js';
export { defaultInputRequestRates, type InputRequestRates } from './input/input-request-rates.js';
export type { InputRequestContext } from './input/input-requests.js';
export type { ClientState, StateChange } from './session/connection-supervisor.js';
export { defaultReconnectPolicy, type ReconnectPolicy } from './session/reconnect-policy.js';
