import type { RequestId } from '../json-rpc/messages.js';
import type { Meta } from './annotations.js';

export interface CancelledParams {
  readonly requestId?: RequestId;
  readonly reason?: string;
  readonly _meta?: Meta;
}
