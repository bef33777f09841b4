/** What a matcher found; the message is read when the expectation fails. */
export interface Outcome {
  readonly pass: boolean;
  readonly message: () => string;
  readonly actual?: unknown;
  readonly expected?: unknown;
}

/** What a matcher is given by vitest. */
export interface MatcherState {
  readonly isNot: boolean;
  equals(actual: unknown, expected: unknown): boolean;
  readonly utils: { stringify(value: unknown, depth?: number, options?: { readonly min?: boolean }): string };
}

/** A value on one line. */
export function printed({ utils }: MatcherState, value: unknown): string {
  return utils.stringify(value, 8, { min: true });
}

/** A value that the matcher cannot look at: fails whether or not the expectation is negated. */
export function unfit(state: MatcherState, wanted: string, received: unknown): Outcome {
  return {
    pass: state.isNot,
    message: () => `expected ${wanted}, not ${printed(state, received)}`,
  };
}

/** True for objects, to look at their members. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
