export type { JsonObject, JsonValue, UnknownObject } from './json-rpc/json.js';
export type { RequestId, WireError } from './json-rpc/messages.js';
export type { Annotations, Icon, Implementation, Meta, Role } from './model/annotations.js';
export type { ClientCapabilities, Extensions, ServerCapabilities } from './model/capabilities.js';
export type { CompleteParams, CompleteResult, CompletionReference } from './model/completion.js';
export type {
  AudioContent,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  ResourceLink,
  TextContent,
} from './model/content.js';
export type {
  ElicitFormParams,
  ElicitParams,
  ElicitResult,
  ElicitUrlParams,
  FormField,
  FormSchema,
  FormValue,
} from './model/elicitation.js';
export type {
  InputRequest,
  InputRequiredResult,
  InputResponse,
  ListRootsResult,
  Root,
} from './model/input.js';
export type {
  DiscoverResult,
  InitializeParams,
  InitializeResult,
  ProgressParams,
  ProgressToken,
} from './model/lifecycle.js';
export type { LogLevel, LogParams } from './model/logging.js';
export type { CacheHints, PageResult } from './model/message-members.js';
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
export type { SubscriptionFilter } from './model/subscriptions.js';
export type {
  CallToolParams,
  CallToolResult,
  ListToolsResult,
  SchemaObject,
  Tool,
  ToolAnnotations,
} from './model/tools.js';
export type { Principal } from './ports/principal.js';
