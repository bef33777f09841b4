import type { Context } from './context.js';

/** Returns the values that match the typed text, best first. */
export type Completer<State extends object = object> = (
  typed: string,
  ctx: CompletionContext<State>,
) => CompletionReturn | Promise<CompletionReturn>;

/** Values, or values with the total number of matches. */
export type CompletionReturn =
  | readonly string[]
  | { readonly values: readonly string[]; readonly total?: number };

/** Completers by the names of arguments or variables. */
export type Completers<Names extends string = string, State extends object = object> = string extends Names
  ? { readonly [argument: string]: Completer<State> }
  : [Names] extends [never]
    ? { readonly [argument: string]: 'there is nothing of this name to complete' }
    : { readonly [Name in Names]?: Completer<State> };

/** The context of a completion, besides the typed text. */
export interface CompletionContext<State extends object = object> extends Context<State> {
  /** The arguments that were already chosen. */
  readonly chosen: Readonly<Record<string, string>>;
}
