const deadlines = new WeakMap<object, number>();

/** Notes when the time of a call is over whose result is not final: it requests input, or is of an extension's result type. */
export function noteTotalDeadline(result: object, deadline: number): void {
  deadlines.set(result, deadline);
}

/**
 * When the time allowed for a call in all is over, by the clock of its end, for a call whose result is not final: it counts from
 * when the first request was sent. Undefined for any other result.
 */
export function totalDeadlineOf(result: object): number | undefined {
  return deadlines.get(result);
}
