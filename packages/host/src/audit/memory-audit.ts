import type { AuditLog, AuditRecord } from './audit-log.js';
import { maskedRecord } from './masked-record.js';

/** An audit log in memory. */
export interface MemoryAudit extends AuditLog {
  /** The latest 1,000 records, the oldest first: a copy of each, without secrets and with bounded texts. */
  readonly records: readonly AuditRecord[];
  append(record: AuditRecord): void;
}

/** Characters of a record as JSON, at most: what is longer loses its input. */
const longest = 65_536;

const mostRecords = 1_000;

/**
 * Returns an audit log in memory, for tests and for programs that show what they did. It is gone when the process ends: a host that
 * has to prove its calls writes `auditFile(path)` of `@tenon/mcp-host/node`.
 */
export function memoryAudit(): MemoryAudit {
  const records: AuditRecord[] = [];
  return {
    get records() {
      return [...records];
    },
    append(record) {
      const json = maskedRecord(record);
      const copy = JSON.parse(json) as AuditRecord;
      records.push(json.length > longest ? { ...copy, input: `(${json.length} characters left out)` } : copy);
      if (records.length > mostRecords) records.shift();
    },
  };
}
