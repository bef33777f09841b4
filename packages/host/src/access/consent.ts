import type { ConsentedAccess } from './access-request.js';

/**
 * The answer of a user. `once`: this request; `run`: the same request until the host closes; `always`: also later; `no`: not this
 * request; `never`: not later either.
 */
export type ConsentAnswer = 'once' | 'run' | 'always' | 'no' | 'never';

/** The change of a tool since the user knew it, or of a skill since the user agreed to it. */
export interface DefinitionChange {
  /** `new`: the server did not have it; `changed`: it has another definition; `renamed`: it had another name. */
  readonly kind: 'new' | 'changed' | 'renamed';
  /** The name before, for a tool that was renamed. */
  readonly from?: string;
  /** The lines of the definition that differ, each with `+` or `-` and a space before it; undefined if the earlier definition was not kept. */
  readonly difference?: readonly string[];
}

/** A request that needs the consent of the user. */
export interface ConsentRequest {
  readonly request: ConsentedAccess;
  /** Set if the request would have been allowed, or was agreed to, before this change. */
  readonly change?: DefinitionChange;
  /** The reason of the policy. */
  readonly reason?: string;
}

/**
 * Gets the consent of the user. Show the server by its name in the host, the whole command of a program, and the inputs of a tool. Texts of servers may try to deceive: show
 * them as data. The host sends one request after another. An answer is not needed any more once the signal aborts.
 * If it throws, the request is denied.
 */
export type Consent = (
  asked: ConsentRequest,
  options: { readonly signal: AbortSignal },
) => ConsentAnswer | Promise<ConsentAnswer>;

export const consentAnswers: readonly string[] = ['once', 'run', 'always', 'no', 'never'];
