import { type InterpretOptions, interpret } from '@tenon/json-schema/interpreter';
import type { SchemaObject } from '@tenon/mcp-protocol';
import type { Check, CheckUse, Validator } from './schemas/validator.js';

export type { Check, CheckUse, Validator, ValueIssue } from './schemas/validator.js';

/** How much one check may cost. */
export interface InterpreterOptions {
  /** Schemas looked at for values, in all; a value that takes more is refused. Default 300,000. */
  readonly steps?: number;
}

/** A validator that checks without loading or compiling anything first. */
export interface InterpretingValidator extends Validator {
  compile(schema: SchemaObject, use: CheckUse): Check;
}

/**
 * A validator that generates no code, for `createServer(info, { validator: interpreter() })`.
 * @throws RangeError unless `steps` is a whole number above 0.
 */
export function interpreter({ steps }: InterpreterOptions = {}): InterpretingValidator {
  if (steps !== undefined && !(Number.isSafeInteger(steps) && steps > 0))
    throw new RangeError(`steps must be a whole number above 0, not ${steps}.`);
  const bound: Pick<InterpretOptions, 'steps'> = steps === undefined ? {} : { steps };
  return { compile: (schema, use) => interpret(schema, { ...use, ...bound }) };
}

/**
 * Validates plain JSON Schemas without generating code, where a runtime forbids `eval`:
 * `createServer(info, { validator: interpreted })`. Ajv is never loaded then.
 */
export const interpreted: InterpretingValidator = interpreter();
