import type { Meta } from '@tenon/mcp-protocol';
import type { RequestOptions } from '@tenon/mcp-session';

/** How one call is made. Times count for each request sent: a call that is asked for input sends several. */
export interface CallOptions
  extends Pick<
    RequestOptions,
    'signal' | 'onProgress' | 'progress' | 'timeout' | 'total' | 'headers' | 'logLevel'
  > {
  /** How often the server may ask for input before it answers; the client's own bound by default. */
  readonly maxRounds?: number;
  /** Asks the server even where a response that was kept is still fresh; the answer is kept in its stead. */
  readonly fresh?: boolean;
  /** Metadata sent along, such as trace context. */
  readonly meta?: Meta;
}

/** Params with metadata, if there is any. */
export function withMeta<P extends object>(params: P, options: CallOptions | undefined): P {
  return options?.meta === undefined ? params : { ...params, _meta: options.meta };
}
