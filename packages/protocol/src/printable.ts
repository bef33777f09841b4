import { withoutControls } from './control-characters.js';
import { type Redactor, redact } from './redaction.js';
import { redactText } from './secret-text.js';

/** What of a value may be printed or shown: no credentials, and nothing that a terminal obeys. */
export const printable: Redactor = (value) => redact(value, { text });

function text(dirty: string): string {
  return withoutControls(redactText(dirty));
}
