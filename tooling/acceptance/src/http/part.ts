/** Status and headers of an answer. */
export interface Head {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Something that an answer is made of, in the order in which it comes. */
export type Part =
  | { readonly kind: 'head'; readonly status: number; readonly headers: Head['headers'] }
  /** The whole body of what is no event stream. */
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
  /** The answer is whole. */
  | { readonly kind: 'end' }
  /** The connection ended before the answer did. */
  | { readonly kind: 'broken' };
