import type { Meta } from './annotations.js';
import type { ElicitParams, ElicitResult } from './elicitation.js';
import type { CreateMessageParams, CreateMessageResult } from './sampling.js';

/** A folder of the client that the server may work in. @deprecated by 2026-07-28. */
export interface Root {
  /** A `file:` URI. */
  readonly uri: string;
  readonly name?: string;
  readonly _meta?: Meta;
}

export interface ListRootsResult {
  readonly roots: readonly Root[];
  readonly _meta?: Meta;
}

/** One input request inside a result. */
export type InputRequest =
  | { readonly method: 'elicitation/create'; readonly params: ElicitParams }
  | { readonly method: 'sampling/createMessage'; readonly params: CreateMessageParams }
  | { readonly method: 'roots/list'; readonly params?: { readonly _meta?: Meta } };

export type InputResponse = ElicitResult | CreateMessageResult | ListRootsResult;

/** The result that ends a call of a stateless revision with input requests; the client repeats the call with the answers. */
export interface InputRequiredResult {
  readonly resultType: 'input_required';
  readonly inputRequests?: { readonly [key: string]: InputRequest };
  /** Opaque to the client, which sends it back as it is. */
  readonly requestState?: string;
  readonly _meta?: Meta;
}

/** True for the result of a call that ended with input requests. */
export function isInputRequired(result: object): result is InputRequiredResult {
  return (result as { resultType?: unknown }).resultType === 'input_required';
}
