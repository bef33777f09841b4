import { secrecyOf } from '@tenon/foundation/redaction';
import type { ParamHeader } from '@tenon/mcp-protocol/internal';

/** Words for personal or payment data. */
const personal: ReadonlySet<string> = new Set([
  'ssn',
  'iban',
  'cvv',
  'cvc',
  'pin',
  'otp',
  'passcode',
  'passport',
  'birthdate',
  'credit card',
  'card number',
  'social security',
  'date of birth',
]);

/**
 * Returns a warning about parameters that HTTP headers repeat: headers are read and logged on their way, so that secrets
 * and personal data should not be among them. Undefined if no name looks like such data.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#x-mcp-header
 */
export function sensitiveHeader(headers: readonly ParamHeader[]): string | undefined {
  const found = headers.find(({ path }) => looksSensitive(path.at(-1) ?? ''));
  if (found === undefined) return undefined;
  return (
    `the parameter "${found.path.join('.')}" looks sensitive, and "x-mcp-header" copies it into a header, which ` +
    'proxies may read and log; take the annotation out'
  );
}

function looksSensitive(name: string): boolean {
  if (secrecyOf(name) !== undefined) return true;
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/);
  return words.some((_, at) => [1, 2, 3].some((many) => personal.has(words.slice(at, at + many).join(' '))));
}
