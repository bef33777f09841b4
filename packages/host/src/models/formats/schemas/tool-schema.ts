import type { SchemaObject } from '@tenon/mcp-protocol';
import { memberName } from '../text/accepted-name.js';
import type { Dialect } from './dialects.js';
import { NotStrict, narrowSchema } from './narrow-schema.js';
import { plainSchema, type References } from './plain-schema.js';
import { type Loss, Rewriting, type Schema, SchemaTooLarge, schemaBounds, typesOf } from './rewriting.js';
import { unitedObject } from './united-objects.js';
import { withItems } from './with-items.js';

/** The input schema of a tool in the terms of a format. */
export interface ToolSchema {
  readonly schema: Schema;
  /** Sentences for the description of the tool, about constraints that the schema no longer has. */
  readonly sentences: readonly string[];
  readonly losses: readonly Loss[];
}

/**
 * Returns the input schema of a tool in the terms of a dialect: always an object, whatever the server sent.
 * @throws NotStrict if the dialect is strict and the schema allows values that it cannot name.
 */
export function toolSchema(inputSchema: SchemaObject, dialect: Dialect): ToolSchema {
  const attempts: readonly References[] =
    dialect.references === 'recursive' ? ['recursive', 'shared'] : [dialect.references];
  for (const references of attempts) {
    try {
      return rewritten(inputSchema, dialect, references);
    } catch (error) {
      if (!(error instanceof SchemaTooLarge)) throw error;
    }
  }
  if (dialect.narrow?.isStrict === true)
    throw new NotStrict('', `the schema has more than ${schemaBounds.schemas} parts`);
  const what = `The schema has more than ${schemaBounds.schemas} parts. The model sees an object with any members.`;
  return freeForm({ path: '', keyword: '', what });
}

function rewritten(inputSchema: SchemaObject, dialect: Dialect, references: References): ToolSchema {
  const rewriting = new Rewriting();
  const { allowsMember, narrow } = dialect;
  const nameOf = (name: string): string => (allowsMember(name) ? name : memberName(name));
  const plain = plainSchema(inputSchema, { references, nameOf }, rewriting);
  const { schema, sentences } = unitedObject(plain, { rewriting, path: '' });
  const types = typesOf(schema);
  if (types.length > 0 && !types.includes('object')) {
    if (narrow?.isStrict === true) throw new NotStrict('', 'the arguments are not an object');
    const what = `The arguments are an object, but the schema has the type ${types.join(', ')}. The model sees an object with any members.`;
    return freeForm({ path: '', keyword: 'type', what });
  }
  const root = rootObject(schema, rewriting);
  const expressed =
    narrow === undefined ? withItems(root, dialect.wantsItems) : narrowSchema(root, narrow, rewriting);
  return {
    schema: { ...expressed, properties: expressed.properties ?? {} },
    sentences,
    losses: rewriting.losses,
  };
}

/** OpenAI rejects these at the root: https://github.com/goruck/home-generative-agent/pull/545. */
const notAtRoot = ['enum', 'const', 'not'] as const;

function rootObject(schema: Schema, rewriting: Rewriting): Schema {
  const { type: _, enum: __, const: ___, not: ____, ...rest } = schema;
  for (const keyword of notAtRoot)
    if (schema[keyword] !== undefined)
      rewriting.lose(
        '',
        keyword,
        `Formats do not allow \`${keyword}\` at the root. The model does not see it.`,
      );
  return { type: 'object', ...rest };
}

function freeForm(loss: Loss): ToolSchema {
  return { schema: { type: 'object', properties: {} }, sentences: [], losses: [loss] };
}
