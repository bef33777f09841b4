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
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length <= 120 ? text : `${text.slice(0, 117)}...`;
}

/** Returns the change of a value in words. */
export function valueChange(was: unknown, is: unknown): string {
  if (was === undefined) return `${shown(is)} added`;
  return is === undefined ? `removed, was ${shown(was)}` : `is ${shown(is)}, was ${shown(was)}`;
}

/** Characters of a text around a change. */
const excerptLength = 60;
const excerptLead = 20;

/** Returns the change of a text for people: where the texts begin to differ. */
export function textChange(was: unknown, is: unknown): string {
  if (typeof was !== 'string' || typeof is !== 'string') return valueChange(was, is);
  let same = 0;
  while (same < was.length && was[same] === is[same]) same++;
  const from =
    was.length <= excerptLength && is.length <= excerptLength ? 0 : Math.max(0, same - excerptLead);
  const excerpt = (text: string) =>
    `${from === 0 ? '' : '...'}${text.slice(from, from + excerptLength)}${text.length > from + excerptLength ? '...' : ''}`;
  return valueChange(excerpt(was), excerpt(is));
}

/** Returns the number of changes: an entry with details has one for each. */
export function countChanges(changes: readonly ServerChange[]): { breaking: number; compatible: number } {
  const all = changes.flatMap((change): readonly { readonly breaking: boolean }[] =>
    change.details.length === 0 ? [change] : change.details,
  );
  const breaking = all.filter((one) => one.breaking).length;
  return { breaking, compatible: all.length - breaking };
}
