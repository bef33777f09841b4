const deadlines = new WeakMap<object, number>();

/** The deadline of a call with a result that is not final: it requests input, or has the result type of an extension. */
export function noteTotalDeadline(result: object, deadline: number): void {
  deadlines.set(result, deadline);
}

/**
 * The total deadline of a call with a result that is not final, by the clock of its end. It counts from
 * the first request. Undefined for any other result.
 */
export function totalDeadlineOf(result: object): number | undefined {
  return deadlines.get(result);
}
