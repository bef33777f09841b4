/** The result of a matcher; the message is read if the expectation fails. */
export interface Outcome {
  readonly pass: boolean;
  readonly message: () => string;
  readonly actual?: unknown;
  readonly expected?: unknown;
}

/** The `this` of a matcher in vitest. */
export interface MatcherState {
  readonly isNot: boolean;
  equals(actual: unknown, expected: unknown): boolean;
  readonly utils: { stringify(value: unknown, depth?: number, options?: { readonly min?: boolean }): string };
}

/** Returns a value as one line. */
export function printed({ utils }: MatcherState, value: unknown): string {
  return utils.stringify(value, 8, { min: true });
}

/** Returns the outcome for a value of the wrong type: fails even if the expectation is negated. */
export function unfit(state: MatcherState, wanted: string, received: unknown): Outcome {
  return {
    pass: state.isNot,
    message: () => `expected ${wanted}, not ${printed(state, received)}`,
  };
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
