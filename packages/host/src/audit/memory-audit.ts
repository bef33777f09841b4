import { optionRules, requireOptions } from '@tenon/foundation';
import type { AuditLog, AuditRecord } from './audit-log.js';
import { maskedRecord } from './masked-record.js';

/** Options of {@link memoryAudit}. */
export interface MemoryAuditOptions {
  /** Records, at most; 1,000 by default. The oldest are dropped first. */
  readonly entries?: number;
}

/** An audit log in memory. */
export interface MemoryAudit extends AuditLog {
  /** The latest records, the oldest first: a copy of each, without secrets and with bounded texts. */
  readonly records: readonly AuditRecord[];
  append(record: AuditRecord): void;
}

/** Characters of a record as JSON, at most: what is longer loses its input. */
const longest = 65_536;

/**
 * Returns an audit log in memory, for tests and for programs that show what they did. It is gone when the process ends: a host that
 * has to prove its calls writes `auditFile(path)` of `@tenon/mcp-host/node`.
 * @throws TypeError or RangeError if an option is invalid.
 */
export function memoryAudit(options: MemoryAuditOptions = {}): MemoryAudit {
  requireOptions('memoryAudit()', options, { entries: optionRules.positive });
  const { entries = 1_000 } = options;
  const records: AuditRecord[] = [];
  return {
    get records() {
      return [...records];
    },
    append(record) {
      const json = maskedRecord(record);
      const copy = JSON.parse(json) as AuditRecord;
      records.push(json.length > longest ? { ...copy, input: `(${json.length} characters left out)` } : copy);
      if (records.length > entries) records.splice(0, records.length - entries);
    },
  };
}
