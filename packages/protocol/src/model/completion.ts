import type { Meta } from './annotations.js';

/** The prompt or resource template that an argument belongs to. */
export type CompletionReference =
  | { readonly type: 'ref/prompt'; readonly name: string; readonly title?: string }
  | { readonly type: 'ref/resource'; readonly uri: string };

export interface CompleteParams {
  readonly ref: CompletionReference;
  readonly argument: { readonly name: string; readonly value: string };
  /** Arguments already chosen; 2025-06-18 and later. */
  readonly context?: { readonly arguments?: { readonly [key: string]: string } };
  readonly _meta?: Meta;
}

export interface CompleteResult {
  readonly completion: {
    /** At most 100. */
    readonly values: readonly string[];
    readonly total?: number;
    readonly hasMore?: boolean;
  };
  readonly _meta?: Meta;
}
