import { isRecord, type OptionRule } from '@tenon/foundation';
import type { TransportFacts } from './connection.js';
import { callerName, unknownCaller } from './principal.js';

/** The rule of options that accept a `State` of `@tenon/mcp-state`, which is loaded only where it is used. */
export const stateRule: OptionRule = {
  is: 'shared state, such as redisState(url) of @tenon/mcp-state-redis',
  allows: (value) => isRecord(value) && 'kv' in value && 'bus' in value,
};

/**
 * Returns the name that the bytes of a caller in the state are counted under. All callers of which nothing is known are one. Undefined
 * for the only caller of a connection without authentication, such as stdio.
 */
export function stateCallerName({
  principal,
  remoteAddress,
  anonymous,
}: Pick<TransportFacts, 'principal' | 'remoteAddress' | 'anonymous'>): string | undefined {
  return callerName(principal, remoteAddress) ?? (anonymous === true ? unknownCaller : undefined);
}

/** True for the error of a write to the state beyond the share of its caller, which the state reports itself, once in a while. */
export function isOverQuota(error: unknown): boolean {
  return reasonOf(error) === 'quota';
}

/**
 * Returns the reason of a StateError, or of an error that has one as its cause; undefined for any other value. `Reason` is `StateFailure` of
 * `@tenon/mcp-state`.
 */
export function stateFailureOf<Reason extends string>(error: unknown): Reason | undefined {
  const reason = reasonOf(error) ?? (error instanceof Error ? reasonOf(error.cause) : undefined);
  return reason as Reason | undefined;
}

/** By the name of the error: servers without shared state do not load the class, and it may be loaded twice. */
function reasonOf(error: unknown): unknown {
  return error instanceof Error && error.name === 'StateError' && 'reason' in error
    ? error.reason
    : undefined;
}
