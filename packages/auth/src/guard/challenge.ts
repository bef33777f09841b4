/** The parameters of a challenge. https://www.rfc-editor.org/rfc/rfc6750#section-3 */
export interface ChallengeParameters {
  readonly realm?: string | undefined;
  readonly error?: string | undefined;
  readonly error_description?: string | undefined;
  readonly scope?: string | undefined;
  readonly resource_metadata?: string | undefined;
  readonly algs?: string | undefined;
}

/** Characters of an `error_description`, at most. */
const longest = 200;

/** True if a text needs no escapes in the quoted string of a challenge. */
export function isQuotable(text: string): boolean {
  return /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(text);
}

/** Returns a sentence for an `error_description`: cut, and with a space for each character that a quoted string cannot contain. */
export function describable(sentence: string): string {
  return sentence.slice(0, longest).replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, ' ');
}

/**
 * Returns one challenge for `WWW-Authenticate`.
 * @throws TypeError if a text cannot be quoted.
 */
export function challenge(scheme: string, parameters: ChallengeParameters): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(parameters) as [string, string | undefined][]) {
    if (value === undefined) continue;
    if (!isQuotable(value))
      throw new TypeError(`The ${name} of a challenge cannot contain ${JSON.stringify(value)}.`);
    parts.push(`${name}="${value}"`);
  }
  return parts.length === 0 ? scheme : `${scheme} ${parts.join(', ')}`;
}
