import type { AuditOutcome, AuditRecord } from '../src/audit/audit-log.js';

/** Returns a record of the call of a tool. */
export function recordOf(
  id: string,
  outcome: AuditOutcome = 'done',
  more: Partial<AuditRecord> = {},
): AuditRecord {
  return {
    ...{ id, time: 1_700_000_000_000, kind: 'tool', server: 'notes', name: 'read_note', way: 'model' },
    ...{ decision: 'allow', decidedBy: 'policy', outcome },
    ...more,
  };
}
