/** Any value JSON can carry. */
export type JsonValue = string | number | boolean | null | JsonObject | readonly JsonValue[];

/** A JSON object. */
export type JsonObject = { readonly [key: string]: JsonValue };

/** An object read from the wire whose members have not been looked at yet. */
export type UnknownObject = { readonly [key: string]: unknown };

/** True for JSON objects: neither null nor an array. */
export function isObject(value: unknown): value is UnknownObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
