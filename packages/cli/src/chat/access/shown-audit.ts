import type { AuditLog, AuditRecord } from '@tenon/mcp-host';

/** Records that are kept for `/audit`. */
const mostRecords = 200;

/** An audit log that keeps the last records for display, shows each request when it is sent, and passes records on. */
export class ShownAudit implements AuditLog {
  readonly #inner: AuditLog | undefined;
  readonly #onSent: (record: AuditRecord) => void;
  #records: readonly AuditRecord[] = [];

  /**
   * @param inner - the log that keeps all records; undefined if there is none.
   * @param onSent - called with the record of a request just before it is sent.
   */
  constructor(inner: AuditLog | undefined, onSent: (record: AuditRecord) => void) {
    this.#inner = inner;
    this.#onSent = onSent;
  }

  /** The last records that have an outcome, the newest last. */
  get records(): readonly AuditRecord[] {
    return this.#records;
  }

  async append(record: AuditRecord): Promise<void> {
    await this.#inner?.append(record);
    if (record.outcome === 'running') this.#onSent(record);
    else this.#records = [...this.#records, record].slice(-mostRecords);
  }

  async close(): Promise<void> {
    await this.#inner?.close?.();
  }
}
