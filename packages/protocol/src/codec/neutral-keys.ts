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
import type { CacheHints, EmptyResult, InputAnswers, PageParams } from '../model/message-members.js';
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

/** Complete by type: a new member of the neutral model does not compile until it is listed here. */
type Members<Keys extends PropertyKey> = { readonly [key in Keys]-?: true };

/** The members of params besides metadata. */
function params<Params extends object>(own: Members<Exclude<keyof Params, '_meta'>>): NeutralKeys {
  return ['_meta', ...Object.keys(own)];
}

/** Members that any result may have in some revision. */
const ofResults: Members<keyof CacheHints | keyof InputRequiredResult> = {
  _meta: true,
  resultType: true,
  inputRequests: true,
  requestState: true,
  ttlMs: true,
  cacheScope: true,
};

/** The members of a result besides those of any result. */
function result<Result extends object>(
  own: Members<Exclude<keyof Result, keyof typeof ofResults>>,
): NeutralKeys {
  return [...Object.keys(ofResults), ...Object.keys(own)];
}

const answers: Members<keyof InputAnswers> = { inputResponses: true, requestState: true };
type Task = { readonly task: unknown };

/** Params with nothing but metadata. */
export const noParams: NeutralKeys = params({});
export const initializeParams: NeutralKeys = params<InitializeParams>({
  protocolVersion: true,
  capabilities: true,
  clientInfo: true,
});
export const pageParams: NeutralKeys = params<PageParams>({ cursor: true });
export const callToolParams: NeutralKeys = params<CallToolParams>({
  ...answers,
  name: true,
  arguments: true,
  task: true,
});
export const resourceParams: NeutralKeys = params<ResourceParams>({ uri: true });
export const readResourceParams: NeutralKeys = params<ReadResourceParams>({ ...answers, uri: true });
export const getPromptParams: NeutralKeys = params<GetPromptParams>({
  ...answers,
  name: true,
  arguments: true,
});
export const completeParams: NeutralKeys = params<CompleteParams>({
  ref: true,
  argument: true,
  context: true,
});
export const setLevelParams: NeutralKeys = params<SetLevelParams>({ level: true });
export const listenParams: NeutralKeys = params<ListenParams>({ notifications: true });
export const createMessageParams: NeutralKeys = params<CreateMessageParams & Task>({
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
});
export const elicitParams: NeutralKeys = params<ElicitFormParams & ElicitUrlParams & Task>({
  mode: true,
  message: true,
  requestedSchema: true,
  url: true,
  elicitationId: true,
  task: true,
});

export const emptyResult: NeutralKeys = result<EmptyResult>({});
export const initializeResult: NeutralKeys = result<InitializeResult>({
  protocolVersion: true,
  capabilities: true,
  serverInfo: true,
  instructions: true,
});
export const discoverResult: NeutralKeys = result<DiscoverResult>({
  supportedVersions: true,
  capabilities: true,
  instructions: true,
});
export const listToolsResult: NeutralKeys = result<ListToolsResult>({ tools: true, nextCursor: true });
export const callToolResult: NeutralKeys = result<CallToolResult>({
  content: true,
  structuredContent: true,
  isError: true,
});
export const listResourcesResult: NeutralKeys = result<ListResourcesResult>({
  resources: true,
  nextCursor: true,
});
export const listResourceTemplatesResult: NeutralKeys = result<ListResourceTemplatesResult>({
  resourceTemplates: true,
  nextCursor: true,
});
export const readResourceResult: NeutralKeys = result<ReadResourceResult>({ contents: true });
export const listPromptsResult: NeutralKeys = result<ListPromptsResult>({ prompts: true, nextCursor: true });
export const getPromptResult: NeutralKeys = result<GetPromptResult>({ description: true, messages: true });
export const completeResult: NeutralKeys = result<CompleteResult>({ completion: true });
export const listRootsResult: NeutralKeys = result<ListRootsResult>({ roots: true });
export const createMessageResult: NeutralKeys = result<CreateMessageResult>({
  role: true,
  content: true,
  model: true,
  stopReason: true,
});
export const elicitResult: NeutralKeys = result<ElicitResult>({ action: true, content: true });

export const cancelledParams: NeutralKeys = params<CancelledParams>({ requestId: true, reason: true });
export const progressParams: NeutralKeys = params<ProgressParams>({
  progressToken: true,
  progress: true,
  total: true,
  message: true,
});
export const logParams: NeutralKeys = params<LogParams>({ level: true, logger: true, data: true });
export const resourceUpdatedParams: NeutralKeys = params<ResourceUpdatedParams>({ uri: true });
export const acknowledgedParams: NeutralKeys = params<AcknowledgedParams>({ notifications: true });
export const elicitationCompleteParams: NeutralKeys = params<ElicitationCompleteParams>({
  elicitationId: true,
});
