import { type Redactor, redact } from '@tenon/foundation/redaction';
import type { AuditRecord } from './audit-log.js';

/** Characters of each text. */
const most = 4_096;

/**
 * Returns the JSON of a record without secrets and with bounded texts.
 * @throws the error of the redactor; TypeError for a record that JSON cannot express.
 */
export function maskedRecord(record: AuditRecord, redactor: Redactor = redact): string {
  // After redaction: a secret that is cut would not be recognized.
  return JSON.stringify(redactor(record), (_, value: unknown) =>
    typeof value === 'string' && value.length > most ? shortened(value) : value,
  );
}

function shortened(text: string): string {
  return `${text.slice(0, most)}… (${text.length - most} more characters)`;
}
