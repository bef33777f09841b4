export { type RedactOptions, type Redactor, redact, redactText } from '@tenon/foundation/redaction';
export {
  type Answer,
  type Base64Input,
  type Bytes,
  type Cancel,
  type Clock,
  type Connection,
  type Contract,
  type Contracted,
  type CustomNotification,
  type CustomNotificationParams,
  defineMethod,
  defineNotification,
  ErrorCode,
  type Exchange,
  type Guard,
  type GuardTarget,
  type HandledParams,
  type HandledResult,
  InsufficientScopeError,
  type Method,
  type MethodParams,
  type MethodResult,
  type MethodTraits,
  type ParamsOf,
  type ReceivedParams,
  RemoteError,
  type RemoteErrorOptions,
  type RequestMethod,
  type RequestTypes,
  type ResultOf,
  type Revision,
  type RevisionTraits,
  RpcError,
  type ServerEvent,
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
  UrlElicitationRequiredError,
  withoutControls,
} from '@tenon/mcp-protocol';
export type * from '@tenon/mcp-protocol/types';
export {
  type Call,
  type CallRequest,
  type CarriedTexts,
  type Cancelled,
  type Endpoint,
  type KeepAliveOptions,
  type Middleware,
  MissingCapabilityError,
  type Next,
  type RateLimit,
  type SessionLimits,
} from '@tenon/mcp-session';
export { defaultRates, type RateOptions } from './budget/rates.js';
export type {
  Completer,
  Completers,
  CompletionContext,
  CompletionReturn,
  Context,
} from './context/context.js';
export type { MethodHandlerContext } from './context/method-handler-context.js';
export type { CacheOptions } from './core/cache-hints.js';
export type { ServerLimits } from './core/limits.js';
export type { Visibility } from './core/registry.js';
export type { ServerEventListener } from './core/server-events.js';
export type { Logger } from './core/server-log.js';
export type { ServerExtension } from './extensions/installation.js';
export type { MethodHandler, MethodOptions } from './features/custom-methods.js';
export type { PromptHandler, PromptOptions, PromptReturn } from './features/prompt-options.js';
export type {
  ResourceHandler,
  ResourceInput,
  ResourceOptions,
  ResourceReturn,
} from './features/resources/resource-options.js';
export { type SuggestOptions, type SuggestSource, suggest } from './features/suggest.js';
export type { ToolHandler, ToolOptions } from './features/tool-options.js';
export type { HandleCaller, HandleEnd, HandleOptions, Handles } from './handles/handle-options.js';
export { createHandles } from './handles/handles.js';
export type { Elicited, ElicitedPage, ElicitForm, ElicitPage } from './input/elicitation.js';
export type { ServerOptions } from './options.js';
export { type CleanOptions, cleanResults } from './results/clean-results.js';
export type { ToolReturn } from './results/tool-result.js';
export { ToolError } from './results/tool-result.js';
export { isSuspension } from './run/input-promise.js';
export type { InferInput, InferOutput, Schema } from './schemas/schema.js';
export type { Check, CheckUse, Validator, ValueIssue } from './schemas/validator.js';
export type { StateKey } from './sealing/sealing.js';
export { rotateStateKeys } from './sealing/sealing.js';
export { createServer, type EmptyContract, Server } from './server.js';
