import type { Meta } from './annotations.js';
import type { CancelledParams } from './cancellation.js';
import type { ElicitationCompleteParams, ElicitParams, ElicitResult } from './client/elicitation.js';
import type { ListRootsResult } from './client/roots.js';
import type { CreateMessageParams, CreateMessageResult } from './client/sampling.js';
import type { InputRequiredResult } from './input.js';
import type { DiscoverResult, InitializeParams, InitializeResult } from './lifecycle.js';
import type { EmptyResult, PageParams } from './pagination.js';
import type { ProgressParams } from './progress.js';
import type { CompleteParams, CompleteResult } from './server/completion.js';
import type { LogParams, SetLevelParams } from './server/logging.js';
import type { GetPromptParams, GetPromptResult, ListPromptsResult } from './server/prompts.js';
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceParams,
  ReadResourceResult,
  ResourceParams,
} from './server/resources.js';
import type { AcknowledgedParams, ListenParams, ResourceUpdatedParams } from './server/subscriptions.js';
import type { CallToolParams, CallToolResult, ListToolsResult } from './server/tools.js';

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
