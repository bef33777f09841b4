/**
 * True for JSON objects. Defined here instead of imported through an entry: checks call it when the stack is nearly exhausted,
 * and the getters that test tools add to re-exports would fail then.
 */
export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
