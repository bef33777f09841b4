export { isObject, type UnknownObject } from '@tenon/json-schema/structure';

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | JsonObject | readonly JsonValue[];

/** A JSON object. */
export type JsonObject = { readonly [key: string]: JsonValue };
