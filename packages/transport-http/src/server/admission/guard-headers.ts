const name = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/i;
const value = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * True for headers that can be sent. A guard's headers are sent with an answer, where an error could not be reported any
 * more.
 */
export function areSendable(headers: unknown): boolean {
  if (headers === undefined) return true;
  if (typeof headers !== 'object' || headers === null) return false;
  return Object.entries(headers).every(
    ([one, text]) => name.test(one) && typeof text === 'string' && value.test(text),
  );
}
