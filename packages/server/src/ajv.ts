import { needsInterpreter } from '@tenon/json-schema';
import { loadCheck } from './schemas/ajv.js';
import type { Validator } from './schemas/validator.js';

export type { Check, CheckUse, Validator, ValueIssue } from './schemas/validator.js';

/**
 * Compiles plain JSON Schemas to code with Ajv, for `createServer(info, { validator })` in a bundle for Node. Programs that
 * are not bundled do so by default. Schemas that refer to themselves or branch without end are interpreted.
 */
export const validator: Validator = {
  async compile(schema, use) {
    if (!needsInterpreter(schema)) return loadCheck(schema, use);
    const { interpreter } = await import('./interpreter.js');
    return interpreter().compile(schema, use);
  },
};
