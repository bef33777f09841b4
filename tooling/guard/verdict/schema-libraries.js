/** @typedef {import('../subject/coverage.js').FunctionCalls} FunctionCalls */

/**
 * The functions that start a validation, by package. Other libraries show up in the calls of their functions.
 *
 * @type {Record<string, RegExp>}
 */
const validators = {
  // Validators that Ajv compiled.
  generated: /^validate\d*$/,
  zod: /^v4\/core\/(parse\.c?js (fn|\(in _.+\)|\(anonymous\))|schemas\.c?js validate)$/,
  valibot: /(safeParse|parse|safeParseAsync|parseAsync|~?validate)$/,
};

/**
 * True if the function is called once for each validation by a schema library.
 *
 * @param {Pick<FunctionCalls, 'owner' | 'name'>} one
 */
export function isValidation({ owner, name }) {
  return validators[owner]?.test(name) === true;
}
