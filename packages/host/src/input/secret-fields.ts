import type { FormSchema } from '@tenon/mcp-client';

const secret =
  /pass(?:word|phrase|code|wd)|secret|api[\s_-]*key|private[\s_-]*key|(?:access|auth|refresh|bearer|session)[\s_-]*token|^token$|credential|card[\s_-]*number|\bcv[vc]\b|\bssn\b|seed[\s_-]*phrase|mnemonic|\bpin\b|one[\s_-]*time[\s_-]*(?:code|password)|\botp\b/i;

/** Returns the names of the fields of a form that seem to ask for a secret, by name, title or description. */
export function secretFields({ properties }: FormSchema): string[] {
  return Object.entries(properties)
    .filter(([name, { title, description }]) =>
      [name, title, description].some((text) => typeof text === 'string' && secret.test(text)),
    )
    .map(([name]) => name);
}
