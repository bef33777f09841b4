import type { Meta } from './annotations.js';
import type { ElicitParams, ElicitResult } from './elicitation.js';
import type { ListRootsResult } from './roots.js';
import type { CreateMessageParams, CreateMessageResult } from './sampling.js';

/** One thing a server asks of its client inside a result. */
export type InputRequest =
  | { readonly method: 'elicitation/create'; readonly params: ElicitParams }
  | { readonly method: 'sampling/createMessage'; readonly params: CreateMessageParams }
  | { readonly method: 'roots/list'; readonly params?: { readonly _meta?: Meta } };

export type InputResponse = ElicitResult | CreateMessageResult | ListRootsResult;

/** Ends a call of a stateless revision with questions; the client asks again with the answers. */
export interface InputRequiredResult {
  readonly resultType: 'input_required';
  readonly inputRequests?: { readonly [key: string]: InputRequest };
  /** Opaque to the client, which sends it back as it is. */
  readonly requestState?: string;
  readonly _meta?: Meta;
}

/** True for the result of a call that ended with questions. */
export function isInputRequired(result: object): result is InputRequiredResult {
  return (result as { resultType?: unknown }).resultType === 'input_required';
}
