import { withoutControls } from '@tenon/mcp-protocol';
import { type Redactor, redact, redactText } from '@tenon/redaction';

/** Returns the printable part of a value: no credentials, and no control characters for terminals. */
export const printable: Redactor = (value) => redact(value, { text });

// In this order: invisible characters may be in the middle of a secret.
function text(dirty: string): string {
  return redactText(withoutControls(dirty));
}
