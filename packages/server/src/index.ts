/** Every type of the protocol's neutral model, so that one package is enough. */
export type * from '@tenon/mcp-protocol';
export { ErrorCode, RpcError, SessionError, TransportError, textOf } from '@tenon/mcp-protocol';
export {
  type Call,
  type Endpoint,
  type Middleware,
  MissingCapabilityError,
  type Next,
} from '@tenon/mcp-session';
export type { StateKey } from './asking/sealing.js';
export { isSuspension } from './asking/suspension.js';
export type { Context } from './context.js';
export type { CacheOptions } from './definition.js';
export type { Completer, Completers, CompletionContext, CompletionReturn } from './features/completers.js';
export {
  type Elicited,
  type ElicitForm,
  type ElicitPage,
  UrlElicitationRequiredError,
} from './features/elicitation.js';
export type { PromptOptions, PromptReturn } from './features/prompts.js';
export type {
  ResourceHandler,
  ResourceInput,
  ResourceOptions,
  ResourceReturn,
} from './features/resources.js';
export type { ToolOptions } from './features/tools.js';
export { defaultServerLimits, type ServerLimits } from './limits.js';
export type { ServerOptions } from './options.js';
export type { Visibility } from './registry.js';
export type { InferInput, InferOutput, Schema } from './schemas/schema.js';
export { createServer, type EmptyContract, Server } from './server.js';
export { ToolError } from './tool-error.js';
export type { ToolReturn } from './tool-result.js';
