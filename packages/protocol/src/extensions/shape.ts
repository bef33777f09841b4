import type { UnknownObject } from '../json-rpc/json.js';

/** A problem that a Standard Schema found in a value. */
export interface ShapeIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

type ShapeOutcome<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly ShapeIssue[] };

/** A schema of a library that follows Standard Schema 1, such as zod, valibot or arktype. */
export interface StandardShape<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly validate: (value: unknown) => ShapeOutcome<Output> | Promise<ShapeOutcome<Output>>;
  };
}

/** The shape of params, results or settings of an extension: a Standard Schema, or plain JSON Schema. */
export type Shape = StandardShape | { readonly [keyword: string]: unknown };

/** The value as its sender writes it; any object where the shape is plain JSON Schema, or absent. */
export type ShapeInput<S> = [Shape] extends [S]
  ? UnknownObject
  : S extends { readonly '~standard': { readonly types?: infer T } }
    ? NonNullable<T> extends { readonly input: infer I }
      ? I
      : UnknownObject
    : UnknownObject;

/** The value as its receiver reads it, with the defaults and conversions of the library. */
export type ShapeOutput<S> = [Shape] extends [S]
  ? UnknownObject
  : S extends { readonly '~standard': { readonly types?: infer T } }
    ? NonNullable<T> extends { readonly output: infer O }
      ? O
      : UnknownObject
    : UnknownObject;
