import type { Context } from '../context.js';

/** Values that fit what has been typed so far, best first. */
export type Completer = (
  typed: string,
  ctx: CompletionContext,
) => CompletionReturn | Promise<CompletionReturn>;

/** Plain values, or values with the number of all that fit. */
export type CompletionReturn =
  | readonly string[]
  | { readonly values: readonly string[]; readonly total?: number };

/** Completers by argument name. */
export type Completers = { readonly [argument: string]: Completer };

/** What a completer knows besides what has been typed. */
export interface CompletionContext extends Context {
  /** Arguments that are chosen already. */
  readonly chosen: Readonly<Record<string, string>>;
}
