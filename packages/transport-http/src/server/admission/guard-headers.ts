const name = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/i;
const value = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * True for headers that can be sent. Those of a guard go out with an answer: what they throw there, nobody is left to hear.
 */
export function areSendable(headers: unknown): boolean {
  if (headers === undefined) return true;
  if (typeof headers !== 'object' || headers === null) return false;
  return Object.entries(headers).every(
    ([one, text]) => name.test(one) && typeof text === 'string' && value.test(text),
  );
}
