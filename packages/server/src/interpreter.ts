import { type InterpretOptions, interpret } from '@tenon/json-schema/interpreter';
import type { SchemaObject } from '@tenon/mcp-protocol';
import type { Check, CheckUse, Validator } from './schemas/validator.js';

export type { Check, CheckUse, Validator, ValueIssue } from './schemas/validator.js';

/** The limit of the work of one check. */
export interface InterpreterOptions {
  /** The most schemas applied to one value; a value that needs more is rejected. Default: 300,000. */
  readonly steps?: number;
}

/** A validator that checks without loading or compiling code first. */
export interface InterpretingValidator extends Validator {
  compile(schema: SchemaObject, use: CheckUse): Check;
}

/**
 * Creates a validator that generates no code, for runtimes that forbid `eval`: `createServer(info, { validator: interpreter() })`. Ajv is never
 * loaded then.
 * @throws RangeError unless `steps` is a whole number above 0.
 */
export function interpreter({ steps }: InterpreterOptions = {}): InterpretingValidator {
  if (steps !== undefined && !(Number.isSafeInteger(steps) && steps > 0))
    throw new RangeError(`steps must be a whole number above 0, not ${steps}.`);
  const bound: Pick<InterpretOptions, 'steps'> = steps === undefined ? {} : { steps };
  return { compile: (schema, use) => interpret(schema, { ...use, ...bound }) };
}
