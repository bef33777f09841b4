import { withoutControls } from '@tenon/foundation';
import { type Redactor, redact, redactText } from '@tenon/foundation/redaction';

/** Returns the printable part of a value: no credentials, and no control characters for terminals. */
export const printable: Redactor = (value) => redact(value, { text });

// In this order: invisible characters may be in the middle of a secret.
function text(dirty: string): string {
  return redactText(withoutControls(dirty));
}
