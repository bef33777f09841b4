import { stoppedProblem } from '@tenon/json-schema';
import { interpret as interpretSchema, type SchemaDialect } from '@tenon/json-schema/interpreter';
import type { SchemaObject } from '@tenon/mcp-protocol';

/** Checks a value. Returns the problem as a sentence. */
export type Inspect = (value: unknown) => string | undefined;

const dialects: ReadonlyMap<unknown, SchemaDialect> = new Map<unknown, SchemaDialect>([
  [undefined, '2020-12'],
  ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
  ['https://json-schema.org/draft/2019-09/schema', '2019-09'],
  ['http://json-schema.org/draft-07/schema', 'draft-07'],
]);

/** Receives a pattern that is left unchecked. */
type UncheckedPattern = (pattern: string) => void;

/**
 * Returns the check of results by a schema of a peer. The check throws if a result would take too long.
 * @param uncheckedPattern - Default: a schema with a pattern that is not a regular expression is rejected.
 * @throws Error with the reason if the schema is rejected.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#json-schema-usage
 */
export function interpret(schema: SchemaObject, uncheckedPattern?: UncheckedPattern): Inspect {
  const stated = schema.$schema;
  const dialect = dialects.get(typeof stated === 'string' ? stated.replace(/#$/, '') : stated);
  if (dialect === undefined)
    throw new Error(`its dialect is not known: ${JSON.stringify(stated)?.slice(0, 80)}`);
  const check = interpretSchema(schema, {
    dialect,
    mostIssues: 1,
    ...(uncheckedPattern && { uncheckedPattern }),
  });
  return (value) => {
    const [issue] = check(value) ?? [];
    return issue && `${['#', ...issue.path].join('/')}: ${issue.message}`.slice(0, 300);
  };
}

/** Returns the check of values by a schema of the author. A value that would take too long is a problem. @throws as {@link interpret}. */
export function interpretShape(schema: SchemaObject): Inspect {
  const inspect = interpret(schema);
  return (value) => {
    try {
      return inspect(value);
    } catch (error) {
      return stoppedProblem(error);
    }
  };
}
