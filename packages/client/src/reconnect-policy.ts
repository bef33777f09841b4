/** How a lost connection is replaced. */
export interface ReconnectPolicy {
  /** Attempts in a row before the client gives up. */
  readonly attempts: number;
  /** Milliseconds before the second attempt, doubled for each that follows; the first is made at once. */
  readonly delay: number;
  /** Milliseconds between attempts at most. */
  readonly maxDelay: number;
  /** Milliseconds a connection must have held for the count of attempts to begin anew. */
  readonly healthy: number;
}

export const defaultReconnectPolicy: ReconnectPolicy = {
  attempts: 6,
  delay: 500,
  maxDelay: 30_000,
  healthy: 30_000,
};

/** The policy of a client; undefined when lost connections are not replaced. */
export function policyOf(
  { reconnect }: { readonly reconnect?: false | Partial<ReconnectPolicy> },
  { restartable }: { readonly restartable: boolean },
): ReconnectPolicy | undefined {
  return reconnect === false || !restartable ? undefined : { ...defaultReconnectPolicy, ...reconnect };
}

/** Milliseconds before the attempt of this number, counted from 1: half of it is fixed, half is chance. */
export function delayBefore(attempt: number, policy: ReconnectPolicy, random: () => number): number {
  if (attempt <= 1) return 0;
  const full = Math.min(policy.maxDelay, policy.delay * 2 ** (attempt - 2));
  return full / 2 + (full / 2) * random();
}
