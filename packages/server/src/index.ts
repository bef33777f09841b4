/** Every type of the protocol's neutral model, so that one package is enough. */
export type * from '@tenon/mcp-protocol';
export {
  defineMethod,
  defineNotification,
  ErrorCode,
  InsufficientScopeError,
  RemoteError,
  RpcError,
  SessionError,
  TransportError,
  textOf,
  UrlElicitationRequiredError,
  withoutControls,
} from '@tenon/mcp-protocol';
export {
  type Call,
  type Cancelled,
  type Endpoint,
  type IncomingRequest,
  MemoryReplayStore,
  type MemoryReplayStoreOptions,
  type Middleware,
  MissingCapabilityError,
  type Next,
  type RateLimit,
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
