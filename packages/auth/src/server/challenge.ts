/** What a challenge says. https://www.rfc-editor.org/rfc/rfc6750#section-3 */
export interface ChallengeParameters {
  readonly realm?: string | undefined;
  readonly error?: string | undefined;
  readonly error_description?: string | undefined;
  readonly scope?: string | undefined;
  readonly resource_metadata?: string | undefined;
  readonly algs?: string | undefined;
}

/** Characters of an `error_description`. */
const longest = 200;

/** True for what can stand between the quotation marks of a challenge as it is. */
export function isQuotable(text: string): boolean {
  return /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(text);
}

/** A sentence as a challenge may hold it: short, and without what would end the quotation or the header. */
export function describable(sentence: string): string {
  return sentence.slice(0, longest).replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, ' ');
}

/**
 * One challenge for `WWW-Authenticate`.
 * @throws TypeError for a text that cannot be quoted.
 */
export function challenge(scheme: string, parameters: ChallengeParameters): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(parameters) as [string, string | undefined][]) {
    if (value === undefined) continue;
    if (!isQuotable(value))
      throw new TypeError(`The ${name} of a challenge cannot hold ${JSON.stringify(value)}.`);
    parts.push(`${name}="${value}"`);
  }
  return parts.length === 0 ? scheme : `${scheme} ${parts.join(', ')}`;
}
