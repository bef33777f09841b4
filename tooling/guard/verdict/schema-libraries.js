/** @typedef {import('../subject/coverage.js').FunctionCalls} FunctionCalls */

/**
 * The functions a validation begins with, by package. Other libraries show in the calls of their functions.
 *
 * @type {Record<string, RegExp>}
 */
const validators = {
  // What Ajv compiled.
  generated: /^validate\d*$/,
  zod: /^v4\/core\/(parse\.c?js (fn|\(in _.+\)|\(anonymous\))|schemas\.c?js validate)$/,
  valibot: /(safeParse|parse|safeParseAsync|parseAsync|~?validate)$/,
};

/**
 * Whether a call of a function is one validation of a value by a schema library.
 *
 * @param {Pick<FunctionCalls, 'owner' | 'name'>} one
 */
export function isValidation({ owner, name }) {
  return validators[owner]?.test(name) === true;
}
