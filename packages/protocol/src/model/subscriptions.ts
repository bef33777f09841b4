import type { UnknownObject } from '../json-rpc/json.js';
import type { RequestId } from '../json-rpc/messages.js';
import { MetaKey } from '../json-rpc/meta.js';
import type { Meta } from './annotations.js';

/** The changes that a listener is notified of. */
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

/** The first frame of a listen stream: the part of the filter that the server supports. */
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
