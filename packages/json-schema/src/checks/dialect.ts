import type { UnknownObject } from '@tenon/json-schema/structure';

/** A JSON Schema dialect this package validates. */
export type Dialect = '2020-12' | 'draft-07';

const dialects: ReadonlyMap<string, Dialect> = new Map([
  ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
  ['http://json-schema.org/draft-07/schema', 'draft-07'],
]);

/** The `$schema` URI of 2020-12, the dialect of schemas without `$schema`. */
export const defaultDialectUri = 'https://json-schema.org/draft/2020-12/schema';

/**
 * Returns the dialect of a schema.
 *
 * @throws TypeError if the dialect is not supported; the message names the supported ones.
 */
export function dialectOf(schema: UnknownObject, owner: string): Dialect {
  const uri = schema.$schema;
  if (uri === undefined) return '2020-12';
  const dialect = typeof uri === 'string' ? dialects.get(uri.replace(/#$/, '')) : undefined;
  if (dialect !== undefined) return dialect;
  const supported = [...dialects.keys()].map((known) => `"${known}"`).join(' and ');
  throw new TypeError(
    `${owner}: the dialect ${JSON.stringify(uri)} in "$schema" is not supported; ` +
      `supported are ${supported}, and without "$schema" it is 2020-12`,
  );
}
