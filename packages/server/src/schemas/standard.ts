/** The result of a Standard Schema's `validate`. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One issue of a Standard Schema. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Converts a Standard Schema's input or output to JSON Schema; may throw if JSON Schema cannot express it. */
export interface JsonSchemaConverter {
  readonly input: (options: { readonly target: string }) => { [keyword: string]: unknown };
  readonly output: (options: { readonly target: string }) => { [keyword: string]: unknown };
}

/**
 * A schema of any library that follows Standard Schema 1. `jsonSchema` may be missing in the type so that the
 * error for an older library can say what to do; see https://standardschema.dev/json-schema.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly jsonSchema?: JsonSchemaConverter;
  };
}

/** True for a schema of a Standard Schema library; arktype's are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard: unknown = (value as { '~standard'?: unknown })['~standard'];
  return (
    typeof standard === 'object' &&
    standard !== null &&
    typeof (standard as { validate?: unknown }).validate === 'function'
  );
}
