import type { Dialect } from '@tenon/json-schema';
import type { ValueIssue } from '@tenon/json-schema/interpreter';
import type { SchemaObject } from '@tenon/mcp-protocol';

export type { ValueIssue } from '@tenon/json-schema/interpreter';

/** Returns the issues of a value; never changes the value. */
export type Check = (value: unknown) => readonly ValueIssue[] | undefined;

/** The dialect of a schema, and the most issues of one value. */
export interface CheckUse {
  readonly dialect: Dialect;
  readonly mostIssues: number;
}

/** Compiles plain JSON Schemas to checks. Default: generated code in Node, the interpreter in bundles. */
export interface Validator {
  /**
   * Returns the check of a schema with only internal references.
   * @throws Error, or rejects with one, with the reason if the schema is rejected.
   */
  compile(schema: SchemaObject, use: CheckUse): Check | Promise<Check>;
}
