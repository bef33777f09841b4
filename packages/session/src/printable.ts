import { withoutControls } from '@tenon/mcp-protocol';
import { type Redactor, redact, redactText } from '@tenon/redaction';

/** What of a value may be printed or shown: no credentials, and nothing that a terminal obeys. */
export const printable: Redactor = (value) => redact(value, { text });

// In this order: what is invisible may stand in the middle of a secret.
function text(dirty: string): string {
  return redactText(withoutControls(dirty));
}
