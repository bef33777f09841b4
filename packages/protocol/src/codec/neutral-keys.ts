import type { CompleteParams, CompleteResult } from '../model/completion.js';
import type {
  ElicitationCompleteParams,
  ElicitFormParams,
  ElicitResult,
  ElicitUrlParams,
} from '../model/elicitation.js';
import type { InputRequiredResult, ListRootsResult } from '../model/input.js';
import type {
  CancelledParams,
  DiscoverResult,
  InitializeParams,
  InitializeResult,
  ProgressParams,
} from '../model/lifecycle.js';
import type { LogParams, SetLevelParams } from '../model/logging.js';
import type { CacheHints, EmptyResult, PageParams } from '../model/message-members.js';
import type { GetPromptParams, GetPromptResult, ListPromptsResult } from '../model/prompts.js';
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceParams,
  ReadResourceResult,
  ResourceParams,
} from '../model/resources.js';
import type { CreateMessageParams, CreateMessageResult } from '../model/sampling.js';
import type { AcknowledgedParams, ListenParams, ResourceUpdatedParams } from '../model/subscriptions.js';
import type { CallToolParams, CallToolResult, ListToolsResult } from '../model/tools.js';

/** Top-level members of one message in any revision. A revision without a member never writes it. */
export type NeutralKeys = readonly string[];

// Complete by type: a new member of the neutral model does not compile until it is listed here.
function keys<K extends string>(all: { readonly [key in K]-?: true }): NeutralKeys {
  return Object.keys(all);
}

// Any result may carry these in some revision.
type Result = 'resultType' | '_meta' | keyof CacheHints | keyof InputRequiredResult;
const result = { _meta: true, resultType: true, inputRequests: true, requestState: true } as const;
const cache = { ttlMs: true, cacheScope: true } as const;
const answers = { inputResponses: true, requestState: true } as const;

/** Params with nothing but metadata. */
export const noParams: NeutralKeys = keys<'_meta'>({ _meta: true });
export const initializeParams: NeutralKeys = keys<keyof InitializeParams>({
  protocolVersion: true,
  capabilities: true,
  clientInfo: true,
  _meta: true,
});
export const pageParams: NeutralKeys = keys<keyof PageParams>({ cursor: true, _meta: true });
export const callToolParams: NeutralKeys = keys<keyof CallToolParams>({
  ...answers,
  name: true,
  arguments: true,
  task: true,
  _meta: true,
});
export const resourceParams: NeutralKeys = keys<keyof ResourceParams>({ uri: true, _meta: true });
export const readResourceParams: NeutralKeys = keys<keyof ReadResourceParams>({
  ...answers,
  uri: true,
  _meta: true,
});
export const getPromptParams: NeutralKeys = keys<keyof GetPromptParams>({
  ...answers,
  name: true,
  arguments: true,
  _meta: true,
});
export const completeParams: NeutralKeys = keys<keyof CompleteParams>({
  ref: true,
  argument: true,
  context: true,
  _meta: true,
});
export const setLevelParams: NeutralKeys = keys<keyof SetLevelParams>({ level: true, _meta: true });
export const listenParams: NeutralKeys = keys<keyof ListenParams>({ notifications: true, _meta: true });
export const createMessageParams: NeutralKeys = keys<keyof CreateMessageParams | 'task'>({
  messages: true,
  maxTokens: true,
  modelPreferences: true,
  systemPrompt: true,
  includeContext: true,
  temperature: true,
  stopSequences: true,
  metadata: true,
  tools: true,
  toolChoice: true,
  task: true,
  _meta: true,
});
export const elicitParams: NeutralKeys = keys<keyof ElicitFormParams | keyof ElicitUrlParams | 'task'>({
  mode: true,
  message: true,
  requestedSchema: true,
  url: true,
  elicitationId: true,
  task: true,
  _meta: true,
});

export const emptyResult: NeutralKeys = keys<keyof EmptyResult | Result>({ ...result, ...cache });
export const initializeResult: NeutralKeys = keys<keyof InitializeResult | Result>({
  ...result,
  ...cache,
  protocolVersion: true,
  capabilities: true,
  serverInfo: true,
  instructions: true,
});
export const discoverResult: NeutralKeys = keys<keyof DiscoverResult | Result>({
  ...result,
  ...cache,
  supportedVersions: true,
  capabilities: true,
  instructions: true,
});
export const listToolsResult: NeutralKeys = keys<keyof ListToolsResult | Result>({
  ...result,
  ...cache,
  tools: true,
  nextCursor: true,
});
export const callToolResult: NeutralKeys = keys<keyof CallToolResult | Result>({
  ...result,
  ...cache,
  content: true,
  structuredContent: true,
  isError: true,
});
export const listResourcesResult: NeutralKeys = keys<keyof ListResourcesResult | Result>({
  ...result,
  ...cache,
  resources: true,
  nextCursor: true,
});
export const listResourceTemplatesResult: NeutralKeys = keys<keyof ListResourceTemplatesResult | Result>({
  ...result,
  ...cache,
  resourceTemplates: true,
  nextCursor: true,
});
export const readResourceResult: NeutralKeys = keys<keyof ReadResourceResult | Result>({
  ...result,
  ...cache,
  contents: true,
});
export const listPromptsResult: NeutralKeys = keys<keyof ListPromptsResult | Result>({
  ...result,
  ...cache,
  prompts: true,
  nextCursor: true,
});
export const getPromptResult: NeutralKeys = keys<keyof GetPromptResult | Result>({
  ...result,
  ...cache,
  description: true,
  messages: true,
});
export const completeResult: NeutralKeys = keys<keyof CompleteResult | Result>({
  ...result,
  ...cache,
  completion: true,
});
export const listRootsResult: NeutralKeys = keys<keyof ListRootsResult | Result>({
  ...result,
  ...cache,
  roots: true,
});
export const createMessageResult: NeutralKeys = keys<keyof CreateMessageResult | Result>({
  ...result,
  ...cache,
  role: true,
  content: true,
  model: true,
  stopReason: true,
});
export const elicitResult: NeutralKeys = keys<keyof ElicitResult | Result>({
  ...result,
  ...cache,
  action: true,
  content: true,
});

export const cancelledParams: NeutralKeys = keys<keyof CancelledParams>({
  requestId: true,
  reason: true,
  _meta: true,
});
export const progressParams: NeutralKeys = keys<keyof ProgressParams>({
  progressToken: true,
  progress: true,
  total: true,
  message: true,
  _meta: true,
});
export const logParams: NeutralKeys = keys<keyof LogParams>({
  level: true,
  logger: true,
  data: true,
  _meta: true,
});
export const resourceUpdatedParams: NeutralKeys = keys<keyof ResourceUpdatedParams>({
  uri: true,
  _meta: true,
});
export const acknowledgedParams: NeutralKeys = keys<keyof AcknowledgedParams>({
  notifications: true,
  _meta: true,
});
export const elicitationCompleteParams: NeutralKeys = keys<keyof ElicitationCompleteParams>({
  elicitationId: true,
  _meta: true,
});
