/** Status and headers of a response. */
export interface Head {
  readonly status: number;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A part of a response, in the order of arrival. */
export type Part =
  | { readonly kind: 'head'; readonly status: number; readonly headers: Head['headers'] }
  /** The whole body of a response that is not an event stream. */
  | { readonly kind: 'body'; readonly text: string }
  | {
      readonly kind: 'event';
      readonly id?: string;
      readonly event?: string;
      readonly retry?: string;
      /** Empty for an event without data. */
      readonly data: string;
    }
  | { readonly kind: 'comment' }
  /** The response is complete. */
  | { readonly kind: 'end' }
  /** The connection ended before the response was complete. */
  | { readonly kind: 'broken' };
