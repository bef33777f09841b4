import { secrecyOf } from '@tenon/foundation/redaction';
import type { FormSchema } from '@tenon/mcp-client';

// The words of people; `secrecyOf` knows those of programs.
const secret =
  /pass(?:word|phrase|code)|secret|(?:api|private)[\s_-]*key|access[\s_-]*token|credential|card[\s_-]*number|\bcv[vc]\b|\bssn\b|seed[\s_-]*phrase|mnemonic|\bpin\b|one[\s_-]*time[\s_-]*code|\botp\b/i;

/** Returns the names of the fields of a form that seem to ask for a secret, by name, title or description. */
export function secretFields({ properties }: FormSchema): string[] {
  return Object.entries(properties)
    .filter(
      ([name, { title, description }]) =>
        secrecyOf(name) !== undefined ||
        [name, title, description].some((text) => typeof text === 'string' && secret.test(text)),
    )
    .map(([name]) => name);
}
