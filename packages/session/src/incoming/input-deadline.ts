const deadlines = new WeakMap<object, number>();

/** Notes when the time of the call is over that was answered with a wish for input. */
export function noteTotalDeadline(result: object, deadline: number): void {
  deadlines.set(result, deadline);
}

/**
 * When the time allowed for a call in all is over, by the clock of its end, for a call that was answered with a wish for input:
 * it counts from when the first request was sent. Undefined for any other result.
 */
export function totalDeadlineOf(result: object): number | undefined {
  return deadlines.get(result);
}
