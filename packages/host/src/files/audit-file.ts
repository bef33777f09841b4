import { resolve } from 'node:path';
import {
  type Clock,
  constantsOf,
  type OptionRule,
  optionRules,
  requireOptions,
  systemClock,
  wholeNumber,
} from '@tenon/foundation';
import { fileError } from '@tenon/foundation/node';
import type { Redactor } from '@tenon/foundation/redaction';
import type { AuditLog, AuditRecord } from '../audit/audit-log.js';
import { maskedRecord } from '../audit/masked-record.js';
import { sha256Of } from './audit-lines.js';
import { AuditWriter } from './audit-writer.js';

/** Options of {@link auditFile}. */
export interface AuditFileOptions {
  /** Bytes from which a file is closed, renamed to `PATH.1`, `PATH.2` and so on, and followed by the next; 16 MiB by default. */
  readonly bytes?: number;
  /** Closed files that are kept; by default all. The oldest are deleted: `verifyAudit` needs the option `pruned` then. */
  readonly files?: number;
  /**
   * A secret of 32 bytes or more that authenticates each line (HMAC-SHA256). Without it, people who can write the file can also
   * replace all of it, chain included.
   */
  readonly key?: Uint8Array;
  /** True to wait until the disk has a record; default: true. False survives a crash of the process, not of the machine. */
  readonly sync?: boolean;
  /** Returns a copy of a record without secrets. Default: `redact`; `thorough` of `@tenon/foundation/redaction/thorough` finds more. */
  readonly redact?: Redactor;
  readonly clock?: Clock;
}

/** An audit log in files. */
export interface AuditFile extends AuditLog {
  /** The absolute path of the file that is written. */
  readonly path: string;
  /** Resolves when the disk has the record. @throws FileError if it cannot be written; TypeError after `close`. */
  append(record: AuditRecord): Promise<void>;
  /** Waits until all records are written, and accepts no more. */
  close(): Promise<void>;
}

/** Bytes of a record as JSON, at most. Its largest members are replaced by their length and digest. */
const longestRecord = 65_536;
/** Bytes that are written at once, at most, and bytes that may wait. */
const [mostAtOnce, mostWaiting] = [1_048_576, 67_108_864];
/** Records that wait to be written. Further ones are rejected. */
const bounds = { queue: 10_000 };

/** The rule of an option that is a key. */
export const keyRule: OptionRule = {
  is: 'a Uint8Array of 32 bytes or more',
  allows: (value) => value instanceof Uint8Array && value.length >= 32,
};

/**
 * Returns an audit log in a file that only the user can read: lines of JSON, each with the SHA-256 of the line before. Secrets in
 * records are masked. Several processes may write one file; all need the same options. `append` rejects if a record cannot be
 * written, and if records of this process are gone: a host then refuses the request.
 * @param path - of the file; its folder is made if it is missing, and only the user may have write access to it.
 * @throws TypeError or RangeError if an option is invalid.
 */
export function auditFile(path: string, options: AuditFileOptions = {}): AuditFile {
  const { flag, callable, object } = optionRules;
  if (typeof path !== 'string' || path === '') throw new TypeError('auditFile(): the path is missing.');
  requireOptions('auditFile()', options, {
    ...{ bytes: wholeNumber(4_096), files: wholeNumber(0), key: keyRule, sync: flag, redact: callable },
    clock: object,
  });
  return new FileAuditLog(resolve(path), options);
}

interface Waiting {
  readonly json: string;
  readonly bytes: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

class FileAuditLog implements AuditFile {
  readonly path: string;
  readonly #options: AuditFileOptions;
  readonly #writer: AuditWriter;
  #waiting: Waiting[] = [];
  #bytes = 0;
  #writing: Promise<void> | undefined;
  #closed = false;

  constructor(path: string, options: AuditFileOptions) {
    const {
      bytes = 16_777_216,
      files = Number.POSITIVE_INFINITY,
      sync = true,
      clock = systemClock,
    } = options;
    this.path = path;
    this.#options = options;
    this.#writer = new AuditWriter({ path, bytes, files, key: options.key, sync, clock });
  }

  async append(record: AuditRecord): Promise<void> {
    if (this.#closed) throw new TypeError('The audit log is closed.');
    const { queue } = constantsOf(bounds, this.#options);
    const json = shortened(maskedRecord(record, this.#options.redact));
    const bytes = Buffer.byteLength(json);
    if (this.#waiting.length >= queue || this.#bytes + bytes > mostWaiting) {
      throw fileError(
        `${this.#waiting.length} records wait to be written to ${this.path}: the disk is too slow, or another process holds its lock.`,
      );
    }
    this.#bytes += bytes;
    const done = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ json, bytes, resolve, reject });
    });
    this.#writing ??= this.#writeAll();
    return done;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#writing;
  }

  /** Writes what waits, as many records at once as have come meanwhile. Never rejects. */
  async #writeAll(): Promise<void> {
    // Records of this turn of the event loop are written together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#nextBatch();
      try {
        await this.#writer.write(batch.map(({ json }) => json));
        for (const { resolve: done } of batch) done();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#writing = undefined;
  }

  #nextBatch(): readonly Waiting[] {
    let bytes = 0;
    const end = this.#waiting.findIndex((one) => {
      bytes += one.bytes;
      return bytes > mostAtOnce;
    });
    const batch = this.#waiting.splice(0, end < 0 ? this.#waiting.length : Math.max(1, end));
    for (const one of batch) this.#bytes -= one.bytes;
    return batch;
  }
}

/** Replaces the largest members of a record by their length and digest, until it is short enough. */
function shortened(json: string): string {
  if (Buffer.byteLength(json) <= longestRecord) return json;
  const record = JSON.parse(json) as Record<string, unknown>;
  const sizes = Object.entries(record)
    .map(([name, value]) => ({ name, value: JSON.stringify(value) }))
    .sort((a, b) => b.value.length - a.value.length);
  for (const { name, value } of sizes) {
    record[name] = `(left out: ${Buffer.byteLength(value)} bytes of JSON, SHA-256 ${sha256Of(value)})`;
    const short = JSON.stringify(record);
    if (Buffer.byteLength(short) <= longestRecord) return short;
  }
  throw fileError(`A record has ${sizes.length} members, which are too many to write.`);
}
