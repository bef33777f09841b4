import { interpret } from '@tenon/json-schema/interpreter';
import type { SchemaObject } from '@tenon/mcp-protocol';
import type { Check, CheckUse, Validator } from './schemas/validator.js';

export type { Check, CheckUse, Validator, ValueIssue } from './schemas/validator.js';

/** A validator that checks without loading or compiling code first. */
export interface InterpretingValidator extends Validator {
  compile(schema: SchemaObject, use: CheckUse): Check;
}

/**
 * Creates a validator that generates no code, for runtimes that forbid `eval`: `createServer(info, { validator: interpreter() })`. Ajv is never
 * loaded then.
 */
export function interpreter(): InterpretingValidator {
  return { compile: interpret };
}
