/** Every type of the protocol's neutral model, so that one package is enough. */
export type * from '@tenon/mcp-protocol';
export {
  defineMethod,
  defineNotification,
  ErrorCode,
  RemoteError,
  RemoteUrlElicitationError,
  RpcError,
  SessionError,
  textOf,
  TransportError,
  type SessionErrorReason,
} from '@tenon/mcp-protocol';
export type {
  Call,
  Cancel,
  Cancelled,
  Clock,
  KeepAliveOptions,
  Middleware,
  Next,
  Progress,
  RateLimit,
} from '@tenon/mcp-session';
export { type RedactOptions, type Redactor, redact, redactText } from '@tenon/redaction';
export { type AskRates, defaultAskRates } from './ask-rates.js';
export type { AskContext } from './asks.js';
export type { BatchCalls, BatchResults } from './batch.js';
export type { CallOptions } from './call-options.js';
export type { FinalResultOf } from './caller.js';
export { Client, type ClientOf } from './client.js';
export { connect } from './connect.js';
export type { CommandTarget, ConnectionFactory, Dialer, UrlOptions } from './dialer.js';
export {
  type ClientExtension,
  defineExtension,
  type ExtendedCall,
  type ExtensionClient,
  type ServedMethod,
  type ReceivedNotice,
  listen,
  type ResultType,
  serve,
} from './extensions/extension.js';
export type { CompletionQuery } from './features/completion.js';
export type { ClientMethodHandler, MethodContext } from './features/custom-methods.js';
export type { OnElicit, OnElicitUrl } from './features/elicitation.js';
export { type Page, Pages } from './features/pagination.js';
export type { PromptArguments, PromptName } from './features/prompts.js';
export { isResourceNotFound } from './features/resources.js';
export type { LiveRoots, RootSource } from './features/roots.js';
export type { OnSample } from './features/sampling.js';
export type { Watch } from './features/subscriptions.js';
export type { CallArguments, ToolInput, ToolName, ToolOutput, ToolResult } from './features/tools.js';
export type { Change, WatchFilter } from './features/watcher.js';
export type { ClientState, StateChange } from './lifeline.js';
export {
  type ClientLimits,
  type ClientOptions,
  defaultClientLimits,
  type ExtraCapabilities,
} from './options.js';
export type { UnverifiedOutput } from './output-schemas.js';
export { defaultReconnectPolicy, type ReconnectPolicy } from './reconnect-policy.js';
export {
  type CachedResponse,
  type CachePlace,
  MemoryCache,
  type MemoryCacheLimits,
  type ResponseCache,
} from './response-cache.js';
export type { Target } from './target.js';
export { expandTemplate, type TemplateValues } from './uri-template.js';
