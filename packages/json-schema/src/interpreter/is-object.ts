/**
 * True for JSON objects. Defined here, and not imported through an entry: checks call it when the stack is nearly used up, where
 * the getters that tests put between re-exports fail.
 */
export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
