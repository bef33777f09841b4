import { interpret as interpretSchema, type SchemaDialect } from '@tenon/json-schema/interpreter';
import type { SchemaObject } from '@tenon/mcp-protocol';

/** Looks at a value; the sentence says what is wrong with it. */
export type Inspect = (value: unknown) => string | undefined;

const dialects: ReadonlyMap<unknown, SchemaDialect> = new Map<unknown, SchemaDialect>([
  [undefined, '2020-12'],
  ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
  ['https://json-schema.org/draft/2019-09/schema', '2019-09'],
  ['http://json-schema.org/draft-07/schema', 'draft-07'],
]);

/**
 * The check of results by a schema that came from a peer. What it returns throws when a result would take too long.
 * @throws Error that says why a schema is refused.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#json-schema-usage
 */
export function interpret(schema: SchemaObject): Inspect {
  const stated = schema.$schema;
  const dialect = dialects.get(typeof stated === 'string' ? stated.replace(/#$/, '') : stated);
  if (dialect === undefined)
    throw new Error(`its dialect is not known: ${JSON.stringify(stated)?.slice(0, 80)}`);
  const check = interpretSchema(schema, { dialect, mostIssues: 1 });
  return (value) => {
    const [issue] = check(value) ?? [];
    return issue && `${['#', ...issue.path].join('/')}: ${issue.message}`.slice(0, 300);
  };
}
