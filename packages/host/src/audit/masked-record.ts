import { type Redactor, redact } from '@tenon/foundation/redaction';
import type { AuditRecord } from './audit-log.js';

/** The masking of records. */
export interface Masking {
  /** Default: `redact` of `@tenon/foundation/redaction`. */
  readonly redactor?: Redactor | undefined;
  /** Characters of each text, at most. Default: 4,096. */
  readonly text?: number | undefined;
}

/**
 * Returns the JSON of a record without secrets and with bounded texts.
 * @throws the error of the redactor; TypeError for a record that JSON cannot express.
 */
export function maskedRecord(
  record: AuditRecord,
  { redactor = redact, text: most = 4_096 }: Masking = {},
): string {
  // After redaction: a secret that is cut would not be recognized.
  return JSON.stringify(redactor(record), (_, value: unknown) =>
    typeof value === 'string' && value.length > most ? shortened(value, most) : value,
  );
}

function shortened(text: string, most: number): string {
  return `${text.slice(0, most)}… (${text.length - most} more characters)`;
}
