// Compile only: the neutral model beside the schemas of the official SDK, which read all revisions as well.
import type * as core from '@modelcontextprotocol/core';
import type { Annotations, Icon, Implementation } from './annotations.js';
import type { ClientCapabilities, ServerCapabilities } from './capabilities.js';
import type { CompleteParams, CompleteResult } from './completion.js';
import type * as content from './content.js';
import type { ElicitFormParams, ElicitResult, ElicitUrlParams } from './elicitation.js';
import type { ListRootsResult, Root } from './input.js';
import type {
  CancelledParams,
  DiscoverResult,
  InitializeParams,
  InitializeResult,
  ProgressParams,
} from './lifecycle.js';
import type { LogLevel, LogParams, SetLevelParams } from './logging.js';
import type {
  GetPromptParams,
  GetPromptResult,
  ListPromptsResult,
  Prompt,
  PromptArgument,
  PromptMessage,
} from './prompts.js';
import type * as resources from './resources.js';
import type * as sampling from './sampling.js';
import type { AcknowledgedParams, ListenParams, ResourceUpdatedParams } from './subscriptions.js';
import type { CallToolParams, CallToolResult, ListToolsResult, Tool, ToolAnnotations } from './tools.js';

/** Without what only differs in habit: readonly, and undefined for members left out. */
type Plain<T> = T extends readonly (infer Item)[]
  ? Plain<Item>[]
  : T extends object
    ? { -readonly [K in keyof T]: Plain<Exclude<T[K], undefined>> }
    : T;

interface Schema {
  readonly _output: unknown;
}

type Fits<A, B> = [A] extends [B] ? true : false;

type Relation<ToOurs, ToTheirs> = ToOurs extends true
  ? ToTheirs extends true
    ? 'same'
    : 'ours is wider'
  : ToTheirs extends true
    ? 'theirs is wider'
    : 'different';

/** Names of members, that of an index signature aside; of a union, all that any variant has. */
type Names<T> = T extends object ? keyof { [K in keyof T as string extends K ? never : K]: unknown } : never;

/** The relation of two types, and the members that only one of them has. */
type Compare<Ours, Theirs extends Schema> = [
  Relation<Fits<Plain<Theirs['_output']>, Plain<Ours>>, Fits<Plain<Ours>, Plain<Theirs['_output']>>>,
  oursAlone: Exclude<Names<Ours>, Names<Theirs['_output']>>,
  theirsAlone: Exclude<Names<Theirs['_output']>, Names<Ours>>,
];

interface Overlap {
  Annotations: Compare<Annotations, typeof core.AnnotationsSchema>;
  Icon: Compare<Icon, typeof core.IconSchema>;
  Implementation: Compare<Implementation, typeof core.ImplementationSchema>;
  TextContent: Compare<content.TextContent, typeof core.TextContentSchema>;
  ImageContent: Compare<content.ImageContent, typeof core.ImageContentSchema>;
  AudioContent: Compare<content.AudioContent, typeof core.AudioContentSchema>;
  EmbeddedResource: Compare<content.EmbeddedResource, typeof core.EmbeddedResourceSchema>;
  ResourceLink: Compare<content.ResourceLink, typeof core.ResourceLinkSchema>;
  ContentBlock: Compare<content.ContentBlock, typeof core.ContentBlockSchema>;
  Tool: Compare<Tool, typeof core.ToolSchema>;
  ToolAnnotations: Compare<ToolAnnotations, typeof core.ToolAnnotationsSchema>;
  ListToolsResult: Compare<ListToolsResult, typeof core.ListToolsResultSchema>;
  CallToolParams: Compare<CallToolParams, typeof core.CallToolRequestParamsSchema>;
  CallToolResult: Compare<CallToolResult, typeof core.CallToolResultSchema>;
  Resource: Compare<resources.Resource, typeof core.ResourceSchema>;
  ResourceTemplate: Compare<resources.ResourceTemplate, typeof core.ResourceTemplateSchema>;
  ListResourcesResult: Compare<resources.ListResourcesResult, typeof core.ListResourcesResultSchema>;
  ListResourceTemplatesResult: Compare<
    resources.ListResourceTemplatesResult,
    typeof core.ListResourceTemplatesResultSchema
  >;
  ReadResourceResult: Compare<resources.ReadResourceResult, typeof core.ReadResourceResultSchema>;
  Prompt: Compare<Prompt, typeof core.PromptSchema>;
  PromptArgument: Compare<PromptArgument, typeof core.PromptArgumentSchema>;
  PromptMessage: Compare<PromptMessage, typeof core.PromptMessageSchema>;
  ListPromptsResult: Compare<ListPromptsResult, typeof core.ListPromptsResultSchema>;
  GetPromptParams: Compare<GetPromptParams, typeof core.GetPromptRequestParamsSchema>;
  GetPromptResult: Compare<GetPromptResult, typeof core.GetPromptResultSchema>;
  CompleteParams: Compare<CompleteParams, typeof core.CompleteRequestParamsSchema>;
  CompleteResult: Compare<CompleteResult, typeof core.CompleteResultSchema>;
  LogLevel: Compare<LogLevel, typeof core.LoggingLevelSchema>;
  LogParams: Compare<LogParams, typeof core.LoggingMessageNotificationParamsSchema>;
  SetLevelParams: Compare<SetLevelParams, typeof core.SetLevelRequestParamsSchema>;
  ProgressParams: Compare<ProgressParams, typeof core.ProgressNotificationParamsSchema>;
  CancelledParams: Compare<CancelledParams, typeof core.CancelledNotificationParamsSchema>;
  ResourceUpdatedParams: Compare<ResourceUpdatedParams, typeof core.ResourceUpdatedNotificationParamsSchema>;
  Root: Compare<Root, typeof core.RootSchema>;
  ListRootsResult: Compare<ListRootsResult, typeof core.ListRootsResultSchema>;
  ModelPreferences: Compare<sampling.ModelPreferences, typeof core.ModelPreferencesSchema>;
  ToolUseContent: Compare<sampling.ToolUseContent, typeof core.ToolUseContentSchema>;
  ToolResultContent: Compare<sampling.ToolResultContent, typeof core.ToolResultContentSchema>;
  SamplingMessage: Compare<sampling.SamplingMessage, typeof core.SamplingMessageSchema>;
  CreateMessageParams: Compare<sampling.CreateMessageParams, typeof core.CreateMessageRequestParamsSchema>;
  CreateMessageResult: Compare<sampling.CreateMessageResult, typeof core.CreateMessageResultWithToolsSchema>;
  ElicitFormParams: Compare<ElicitFormParams, typeof core.ElicitRequestFormParamsSchema>;
  ElicitUrlParams: Compare<ElicitUrlParams, typeof core.ElicitRequestURLParamsSchema>;
  ElicitResult: Compare<ElicitResult, typeof core.ElicitResultSchema>;
  InitializeParams: Compare<InitializeParams, typeof core.InitializeRequestParamsSchema>;
  InitializeResult: Compare<InitializeResult, typeof core.InitializeResultSchema>;
  DiscoverResult: Compare<DiscoverResult, typeof core.DiscoverResultSchema>;
  ClientCapabilities: Compare<ClientCapabilities, typeof core.ClientCapabilitiesSchema>;
  ServerCapabilities: Compare<ServerCapabilities, typeof core.ServerCapabilitiesSchema>;
  ListenParams: Compare<ListenParams, typeof core.SubscriptionsListenRequestParamsSchema>;
  AcknowledgedParams: Compare<
    AcknowledgedParams,
    typeof core.SubscriptionsAcknowledgedNotificationParamsSchema
  >;
}

type CacheHint = 'ttlMs' | 'cacheScope';
type Answer = 'inputResponses' | 'requestState';

/** The types that differ on purpose, each with the reason. */
interface Differences {
  // Ours leaves what is inside a JSON Schema open; theirs wants `type` and JSON below `properties`.
  Tool: ['ours is wider', never, never];
  // Theirs reads the cache hints of results outside these schemas.
  ListToolsResult: ['ours is wider', CacheHint, never];
  ListResourcesResult: ['same', CacheHint, never];
  ListResourceTemplatesResult: ['same', CacheHint, never];
  ListPromptsResult: ['same', CacheHint, never];
  ReadResourceResult: ['same', CacheHint, never];
  DiscoverResult: ['ours is wider', CacheHint, never];
  // Theirs reads answers outside these schemas.
  CallToolParams: ['same', Answer, never];
  GetPromptParams: ['same', Answer, never];
  CreateMessageParams: ['ours is wider', never, 'task'];
  // Ours leaves the keywords of a field open.
  ElicitFormParams: ['ours is wider', never, 'task'];
  // Theirs always wants the elicitation id, which 2026-07-28 no longer has.
  ElicitUrlParams: ['ours is wider', never, 'task'];
  // Theirs leaves out the title, which every revision since 2025-06-18 has.
  PromptArgument: ['same', 'title', never];
  // Ours leaves settings open where theirs wants JSON.
  ClientCapabilities: ['ours is wider', never, never];
  ServerCapabilities: ['ours is wider', never, never];
  InitializeParams: ['ours is wider', never, never];
  InitializeResult: ['ours is wider', never, never];
}

type Expected<K> = K extends keyof Differences ? Differences[K] : ['same', never, never];

type Equal<A, B> = [A, B] extends [B, A] ? true : false;

type Unexpected = {
  [K in keyof Overlap as Equal<Overlap[K], Expected<K>> extends true ? never : K]: Overlap[K];
};

/** Does not compile when a relation is not the one stated; the error names it. */
export const asStated: keyof Unexpected extends never ? true : Unexpected = true;

/** Does not compile when a difference is stated of something that is not compared. */
export const allCompared: keyof Differences extends keyof Overlap ? true : keyof Differences = true;
