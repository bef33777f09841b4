/** One difference of an entry, in words. */
export interface ChangeDetail {
  /** The place in the entry, such as `input.city`; empty for the entry itself. */
  readonly path: string;
  /** The difference, such as `is required now`. */
  readonly text: string;
  /** True if a caller that worked before may fail. */
  readonly breaking: boolean;
}

/** The part of a server that a change belongs to. */
export type ChangeSubject =
  | 'server'
  | 'capability'
  | 'instructions'
  | 'tool'
  | 'resource'
  | 'template'
  | 'prompt'
  | 'result';

/** A difference between two servers. */
export interface ServerChange {
  readonly subject: ChangeSubject;
  /** The name, URI or call. */
  readonly name: string;
  /** `reordered`: a list of entries that has another order. */
  readonly change: 'added' | 'removed' | 'changed' | 'reordered';
  /** True if a caller that worked before may fail. */
  readonly breaking: boolean;
  readonly details: readonly ChangeDetail[];
}

/** Returns an entry as changed, if there are details. */
export function changed(
  subject: ChangeSubject,
  name: string,
  details: readonly ChangeDetail[],
): readonly ServerChange[] {
  if (details.length === 0) return [];
  return [{ subject, name, change: 'changed', breaking: details.some(({ breaking }) => breaking), details }];
}

/** Returns a value as JSON for a text, cut to a length. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= 120 ? text : `${text.slice(0, 117)}...`;
}

/** True if two JSON values are equal; the order of members does not count. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every(
      (key) =>
        Object.hasOwn(b, key) &&
        isEqual((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
    )
  );
}
