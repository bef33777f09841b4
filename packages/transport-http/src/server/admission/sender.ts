import type { Principal } from '@tenon/mcp-protocol';
import type { HttpCall } from '../endpoint/http-call.js';
import { ownerOf } from '../sessions/http-session.js';
import { isAnonymous } from './scopes-lacking.js';

/** Who sends a request, as far as that is known. */
export interface Sender {
  readonly principal: Principal | undefined;
  /** He was asked who he is, and did not say. */
  readonly anonymous?: boolean;
  readonly remoteAddress?: string | undefined;
}

/** The sender of a call that was let in. */
export function senderOf(
  call: Pick<HttpCall, 'guard' | 'remoteAddress'>,
  principal: Principal | undefined,
): Sender {
  const { remoteAddress } = call;
  return { principal, anonymous: isAnonymous(call, principal), remoteAddress };
}

/** The name under which a caller is counted: of the principal, else of the network address; undefined where neither is known. */
export function callerOf(principal: Principal | undefined, address: string | undefined): string | undefined {
  return ownerOf(principal) ?? (address === undefined ? undefined : `@${address}`);
}
