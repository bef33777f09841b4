import type { PromptArgument, SchemaObject } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { CompiledSchema, Schema } from '../schemas/schema.js';
import { isStandardSchema } from '../schemas/standard.js';

/**
 * Returns the prompt arguments of a list: flat, with titles and descriptions of the schema.
 * @throws TypeError if the schema is not an object with properties, or an argument accepts no text.
 */
export function listedArguments(
  name: string,
  schema: Schema,
  args: CompiledSchema,
): readonly PromptArgument[] {
  const { properties, required } = args.json;
  if (!isObject(properties))
    throw new TypeError(`Prompt "${name}" args: the schema must be an object with properties.`);
  const needed = new Set(Array.isArray(required) ? required : []);
  // In JSON Schema, an argument that a library converts looks like an invalid one: only a test value shows the difference.
  const refuses = isStandardSchema(schema) ? (argument: string) => refusesText(args, argument) : () => true;
  return Object.entries(properties).map(([argument, property]) => {
    if (!takesText(property) && refuses(argument))
      throw new TypeError(
        `Prompt "${name}" args: "${argument}" takes no text, and arguments of prompts arrive as text; ` +
          'use a string, or a schema that converts one, such as z.coerce.number().',
      );
    const { title, description } = isObject(property) ? property : {};
    return {
      name: argument,
      ...(typeof title === 'string' && { title }),
      ...(typeof description === 'string' && { description }),
      required: needed.has(argument),
    };
  });
}

/** True unless a JSON Schema certainly excludes every string. */
function takesText(schema: unknown): boolean {
  if (typeof schema === 'boolean') return schema;
  if (!isObject(schema)) return true;
  const { type, const: only, enum: all, anyOf, oneOf, allOf } = schema as SchemaObject;
  if (type !== undefined && type !== 'string' && !(Array.isArray(type) && type.includes('string')))
    return false;
  if (only !== undefined && typeof only !== 'string') return false;
  if (Array.isArray(all) && !all.some((value) => typeof value === 'string')) return false;
  if (Array.isArray(allOf) && !allOf.every(takesText)) return false;
  return [anyOf, oneOf].every((choices) => !Array.isArray(choices) || choices.some(takesText));
}

/** Test values: a schema that converts texts most likely accepts one of them. */
const samples = ['1', 'true', '1999-12-31', '1999-12-31T12:00:00Z', 'a', 'a,b', '', '{}', '[]', 'null'];

function refusesText(args: CompiledSchema, argument: string): boolean {
  return samples.every((sample) => {
    try {
      const outcome = args.validate({ [argument]: sample });
      if (outcome instanceof Promise) {
        outcome.catch(() => undefined);
        return false;
      }
      return (
        !outcome.ok && outcome.issues.some(({ path }) => path === argument || path.startsWith(`${argument}.`))
      );
    } catch {
      return false;
    }
  });
}
