export { isObject, type UnknownObject } from '@tenon/json-schema/structure';

/** Any value JSON can carry. */
export type JsonValue = string | number | boolean | null | JsonObject | readonly JsonValue[];

/** A JSON object. */
export type JsonObject = { readonly [key: string]: JsonValue };
