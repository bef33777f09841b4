import type { CallHistory } from '@tenon/mcp-protocol';

/** The part of a run's record that has the values of `once` steps. A step without a value returned undefined. */
type WithSteps = Pick<CallHistory, 'steps'>;

/** Returns a step of a record that has ended; undefined for any other. Keys may be any string. */
export function stepIn({ steps }: WithSteps, key: string): { readonly value?: unknown } | undefined {
  return Object.hasOwn(steps, key) ? steps[key] : undefined;
}

/** Returns the record with the value of a step, unless it has one: the first value counts. */
export function withStep<R extends WithSteps>(record: R, key: string, value: unknown): R {
  if (stepIn(record, key) !== undefined) return record;
  return { ...record, steps: { ...record.steps, [key]: { value } } };
}
