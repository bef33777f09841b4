/** An object with unchecked members. */
export type UnknownObject = { readonly [key: string]: unknown };

/** True for JSON objects: neither null nor an array. */
export function isObject(value: unknown): value is UnknownObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
