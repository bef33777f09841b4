import type { Meta } from './annotations.js';
import type { ElicitParams, ElicitResult } from './client/elicitation.js';
import type { ListRootsResult } from './client/roots.js';
import type { CreateMessageParams, CreateMessageResult } from './client/sampling.js';

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
