import type { Meta } from './annotations.js';
import type { CompleteParams, CompleteResult } from './completion.js';
import type { ElicitationCompleteParams, ElicitParams, ElicitResult } from './elicitation.js';
import type { InputRequiredResult, ListRootsResult } from './input.js';
import type {
  CancelledParams,
  DiscoverResult,
  InitializeParams,
  InitializeResult,
  ProgressParams,
} from './lifecycle.js';
import type { LogParams, SetLevelParams } from './logging.js';
import type { EmptyResult, PageParams } from './message-members.js';
import type { GetPromptParams, GetPromptResult, ListPromptsResult } from './prompts.js';
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceParams,
  ReadResourceResult,
  ResourceParams,
} from './resources.js';
import type { CreateMessageParams, CreateMessageResult } from './sampling.js';
import type { AcknowledgedParams, ListenParams, ResourceUpdatedParams } from './subscriptions.js';
import type { CallToolParams, CallToolResult, ListToolsResult } from './tools.js';

interface MetaOnly {
  readonly _meta?: Meta;
}

/** Neutral params and results of every request, by method. */
export interface RequestTypes {
  initialize: { params: InitializeParams; result: InitializeResult };
  ping: { params: MetaOnly; result: EmptyResult };
  'server/discover': { params: MetaOnly; result: DiscoverResult };
  'tools/list': { params: PageParams; result: ListToolsResult };
  'tools/call': { params: CallToolParams; result: CallToolResult | InputRequiredResult };
  'resources/list': { params: PageParams; result: ListResourcesResult };
  'resources/templates/list': { params: PageParams; result: ListResourceTemplatesResult };
  'resources/read': { params: ReadResourceParams; result: ReadResourceResult | InputRequiredResult };
  'resources/subscribe': { params: ResourceParams; result: EmptyResult };
  'resources/unsubscribe': { params: ResourceParams; result: EmptyResult };
  'prompts/list': { params: PageParams; result: ListPromptsResult };
  'prompts/get': { params: GetPromptParams; result: GetPromptResult | InputRequiredResult };
  'completion/complete': { params: CompleteParams; result: CompleteResult };
  'logging/setLevel': { params: SetLevelParams; result: EmptyResult };
  'subscriptions/listen': { params: ListenParams; result: EmptyResult };
  'roots/list': { params: MetaOnly; result: ListRootsResult };
  'sampling/createMessage': { params: CreateMessageParams; result: CreateMessageResult };
  'elicitation/create': { params: ElicitParams; result: ElicitResult };
}

/** Neutral params of every notification, by method. */
export interface NotificationTypes {
  'notifications/initialized': MetaOnly;
  'notifications/cancelled': CancelledParams;
  'notifications/progress': ProgressParams;
  'notifications/message': LogParams;
  'notifications/tools/list_changed': MetaOnly;
  'notifications/prompts/list_changed': MetaOnly;
  'notifications/resources/list_changed': MetaOnly;
  'notifications/resources/updated': ResourceUpdatedParams;
  'notifications/roots/list_changed': MetaOnly;
  'notifications/elicitation/complete': ElicitationCompleteParams;
  'notifications/subscriptions/acknowledged': AcknowledgedParams;
}

export type RequestMethod = keyof RequestTypes;
export type NotificationMethod = keyof NotificationTypes;
export type ParamsOf<M extends RequestMethod> = RequestTypes[M]['params'];
export type ResultOf<M extends RequestMethod> = RequestTypes[M]['result'];
