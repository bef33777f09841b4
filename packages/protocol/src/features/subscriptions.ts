import type { UnknownObject } from '../json.js';
import type { RequestId } from '../json-rpc.js';
import { MetaKey } from '../meta.js';
import type { Meta } from './annotations.js';

/** Which changes a listener wants to hear of. */
export interface SubscriptionFilter {
  readonly toolsListChanged?: boolean;
  readonly promptsListChanged?: boolean;
  readonly resourcesListChanged?: boolean;
  readonly resourceSubscriptions?: readonly string[];
}

export interface ListenParams {
  readonly notifications: SubscriptionFilter;
  readonly _meta?: Meta;
}

/** First frame of a listen stream: what of the filter the server will honour. */
export interface AcknowledgedParams {
  readonly notifications: SubscriptionFilter;
  readonly _meta?: Meta;
}

export interface ResourceUpdatedParams {
  readonly uri: string;
  readonly _meta?: Meta;
}

/** The id of the listen request a notification belongs to, if it names one. */
export function subscriptionOf(params: UnknownObject): RequestId | undefined {
  const meta = params._meta as Meta | undefined;
  return meta?.[MetaKey.subscriptionId] as RequestId | undefined;
}
