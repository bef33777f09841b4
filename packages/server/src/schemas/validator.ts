import type { Dialect } from '@tenon/json-schema';
import type { ValueIssue } from '@tenon/json-schema/interpreter';
import type { SchemaObject } from '@tenon/mcp-protocol';

export type { ValueIssue } from '@tenon/json-schema/interpreter';

/** Gives what is wrong with a value, or nothing; never changes the value. */
export type Check = (value: unknown) => readonly ValueIssue[] | undefined;

/** In which dialect a schema is written, and how many issues of one value are worth telling. */
export interface CheckUse {
  readonly dialect: Dialect;
  readonly mostIssues: number;
}

/** Makes the checks of plain JSON Schemas; by default they are compiled to code, and interpreted in bundles. */
export interface Validator {
  /**
   * The check of a schema whose references stay inside it.
   * @throws Error, or rejects with one, that says why the schema is refused.
   */
  compile(schema: SchemaObject, use: CheckUse): Check | Promise<Check>;
}
