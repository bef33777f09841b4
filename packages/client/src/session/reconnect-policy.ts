import { type Clock, constantsOf } from '@tenon/foundation';

/** Options of reconnecting. */
export interface ReconnectPolicy {
  /** Attempts in a row, without a session that answers a call or lasts for 30 s, before the client gives up. More if outages are long. Default: 6. */
  readonly attempts: number;
  /** Milliseconds before the second attempt, doubled for each later one; the first is immediate. More if many clients share a server. Default: 500. */
  readonly delay: number;
  /** The longest pause between attempts, in milliseconds. More if outages are long. Default: 30,000. */
  readonly maxDelay: number;
}

/** Milliseconds of an open connection after which the pauses and the count of attempts restart. */
const bounds = { healthy: 30_000 };

/** The policy with the bound that is not an option. */
export type ReconnectBounds = ReconnectPolicy & Readonly<typeof bounds>;

export interface ReconnectSettings {
  readonly clock: Clock;
  readonly random: () => number;
  /** Undefined if lost connections are not replaced. */
  readonly policy: ReconnectBounds | undefined;
}

const defaultReconnectPolicy: ReconnectPolicy = { attempts: 6, delay: 500, maxDelay: 30_000 };

/** Returns the policy of a client; undefined if lost connections are not replaced. */
export function policyOf(
  { reconnect }: { readonly reconnect?: false | Partial<ReconnectPolicy> },
  { restartable }: { readonly restartable: boolean },
): ReconnectBounds | undefined {
  return reconnect === false || !restartable ? undefined : withBounds(reconnect);
}

/** Fills in the defaults of a policy. */
export function withBounds(policy: Partial<ReconnectPolicy> = {}): ReconnectBounds {
  return { ...defaultReconnectPolicy, ...constantsOf(bounds, policy), ...policy };
}

/** Returns the milliseconds before the attempt of this number, counted from 1: half is fixed, half is random. */
export function delayBefore(attempt: number, policy: ReconnectPolicy, random: () => number): number {
  if (attempt <= 1) return 0;
  const full = Math.min(policy.maxDelay, policy.delay * 2 ** (attempt - 2));
  return full / 2 + (full / 2) * random();
}
