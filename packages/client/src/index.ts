export { type RedactOptions, type Redactor, redact, redactText } from '@tenon/foundation/redaction';
export {
  type AuthProvider,
  type Base64Input,
  type Bytes,
  type Cancel,
  type Clock,
  type Connection,
  type Contract,
  type Contracted,
  type ContractOf,
  type CustomNotification,
  type CustomNotificationParams,
  defineMethod,
  defineNotification,
  ErrorCode,
  type HandledParams,
  type HandledResult,
  type Method,
  type MethodParams,
  type MethodResult,
  type MethodTraits,
  type OpenContract,
  type ParamsOf,
  type ReceivedParams,
  RemoteError,
  type RemoteErrorOptions,
  RemoteUrlElicitationError,
  type RequestMethod,
  type RequestTypes,
  type ResultOf,
  type Revision,
  type RevisionTraits,
  RpcError,
  SessionError,
  type SessionErrorReason,
  type Shape,
  type ShapeInput,
  type ShapeIssue,
  type ShapeOutput,
  type StandardShape,
  TransportError,
  type TransportErrorOptions,
  textOf,
} from '@tenon/mcp-protocol';
export type * from '@tenon/mcp-protocol/types';
export type {
  BatchCall,
  Call,
  CallRequest,
  CarriedTexts,
  Cancelled,
  Endpoint,
  KeepAliveOptions,
  Middleware,
  Next,
  Progress,
  RateLimit,
  RequestOptions,
  SessionLimits,
} from '@tenon/mcp-session';
export {
  type CachedResponse,
  type CachePlace,
  MemoryCache,
  type ResponseCache,
} from './cache/response-cache.js';
export type { BatchCalls, BatchResults } from './calls/batch.js';
export type { FinalResultOf } from './calls/call.js';
export type { CallOptions } from './calls/call-options.js';
export type { UnverifiedOutput } from './calls/output-schemas.js';
export type { Client, ClientOf, CompletionQuery } from './client.js';
export type { Target } from './connect.js';
export { connect, type ExtendedClient } from './connect.js';
export type { ClientExtension, MembersOf } from './extensions/installation.js';
export type { ClientMethodHandler, MethodContext } from './features/custom-methods.js';
export type { OnElicit, OnElicitUrl } from './features/elicitation.js';
export type { Page, Pages } from './features/pagination.js';
export type { PromptArguments, PromptName } from './features/prompts.js';
export { expandTemplate, isResourceNotFound, type TemplateValues } from './features/resources.js';
export type { LiveRoots, RootSource } from './features/roots.js';
export type { OnSample } from './features/sampling.js';
export type { Change, Watch, WatchFilter } from './features/subscriptions/watcher.js';
export type {
  CallArguments,
  ToolInput,
  ToolName,
  ToolOutput,
  ToolResult,
  UntypedOutput,
  UntypedValue,
} from './features/tools.js';
export { defaultInputRequestRates, type InputRequestRates } from './input/input-request-rates.js';
export type { InputRequestContext } from './input/input-requests.js';
export type {
  ClientLimits,
  ClientOptions,
  ConnectOptions,
  ExtraCapabilities,
} from './options.js';
export type { ClientState, StateChange } from './session/connection-supervisor.js';
export type { CommandTarget, ConnectionFactory, Dialer, UrlOptions, UrlTarget } from './session/dialer.js';
export type { ReconnectPolicy } from './session/reconnect-policy.js';
