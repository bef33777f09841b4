import { lstat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { optionRules, pause, requireOptions, systemClock } from '@tenon/foundation';
import { fileError } from '@tenon/foundation/node';
import type { AuditRecord } from '../audit/audit-log.js';
import { keyRule } from './audit-file.js';
import { type ChainEnd, longestLine } from './audit-lines.js';
import { closedParts, partPath } from './audit-parts.js';
import { BrokenChain, ChainCheck, UnfinishedRequests } from './chain-check.js';
import { type FileLines, openLines } from './file-lines.js';

/** The place of a record in a log. */
export interface AuditPlace {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** Options of {@link verifyAudit}. */
export interface VerifyAuditOptions {
  /** The key that the log was written with. Without it, the authentication codes of lines are not checked. */
  readonly key?: Uint8Array;
  /** True if the oldest files may be missing, because `auditFile` deletes them; default: false. */
  readonly pruned?: boolean;
  /**
   * The `last` of an earlier report, kept in another place: the log must still have this line. It shows what the chain alone cannot:
   * that the end was cut off, or that all was replaced.
   */
  readonly anchor?: ChainEnd;
  /** Receives each record in order, up to the first problem. */
  readonly onRecord?: (record: AuditRecord, place: AuditPlace) => void;
}

/** The state of an audit log. */
export interface AuditReport {
  /** True if there is no `problem`. */
  readonly isIntact: boolean;
  /** The first place where the log does not fit together. The counts are those of the lines before it. */
  readonly problem: (AuditPlace & { readonly reason: string }) | undefined;
  /** The files that were read, the oldest first. */
  readonly files: readonly string[];
  readonly records: number;
  /** Requests that were begun and have no outcome: they are running, or their process ended. */
  readonly unfinished: number;
  /** Times that a writer found torn bytes at the end, after a crash, and went on behind them. */
  readonly recovered: number;
  /** Bytes of a line without its end: it is being written, or its writer crashed. The next writer reports them. */
  readonly torn: number;
  /** The authentication codes of the lines: `unchecked` without a key. */
  readonly authentication: 'none' | 'unchecked' | 'checked';
  /** The first line that was read, and the last one. */
  readonly first: ChainEnd | undefined;
  readonly last: ChainEnd | undefined;
}

/**
 * Checks that no line of an audit log was changed, removed, added or moved, in all its files. Reads them in bounded memory.
 *
 * A chain of hashes without a key shows accidents, and changes by people who cannot write the whole file. People who can write it
 * can replace all of it, chain included; with a `key` they need the key for that. Lines that are cut off at the end show only with an
 * `anchor`.
 * @throws FileError if there is no log, or a file cannot be read; TypeError if an option is invalid.
 */
export async function verifyAudit(path: string, options: VerifyAuditOptions = {}): Promise<AuditReport> {
  const { flag, object, callable } = optionRules;
  requireOptions('verifyAudit()', options, {
    ...{ key: keyRule, pruned: flag, anchor: object, onRecord: callable },
  });
  return new Verification(resolve(path), options).run();
}

/** Waits of 20 ms for a writer, at most. */
const mostWaits = 250;

class Verification {
  readonly #path: string;
  readonly #key: Uint8Array | undefined;
  readonly #check: ChainCheck;
  readonly #unfinished = new UnfinishedRequests();
  readonly #files: string[] = [];
  #records = 0;
  #torn = 0;
  #before: { readonly file: string; readonly sha256: string } | undefined;

  constructor(path: string, { key, pruned = false, anchor, onRecord }: VerifyAuditOptions) {
    this.#path = path;
    this.#key = key;
    const take = (record: AuditRecord, line: number) => {
      this.#records++;
      this.#unfinished.add(record);
      onRecord?.(record, { file: this.#files.at(-1) ?? path, line });
    };
    this.#check = new ChainCheck({ key, pruned, anchor, onRecord: take });
  }

  async run(): Promise<AuditReport> {
    let problem: AuditReport['problem'];
    try {
      await this.#readAll();
      this.#check.finish();
    } catch (error) {
      if (!(error instanceof BrokenChain)) throw error;
      problem = { file: this.#files.at(-1) ?? this.#path, line: error.line, reason: error.message };
    }
    const { recovered, macs, first, last } = this.#check;
    const checked = this.#key === undefined ? 'unchecked' : 'checked';
    return {
      isIntact: problem === undefined,
      problem,
      files: this.#files,
      records: this.#records,
      unfinished: this.#unfinished.count,
      recovered,
      torn: this.#torn,
      authentication: macs ? checked : 'none',
      ...{ first, last },
    };
  }

  /** Reads the closed files, and then the open one, which a writer may close meanwhile. */
  async #readAll(): Promise<void> {
    let [part] = await closedParts(this.#path);
    let waited = 0;
    for (;;) {
      // In this order: what is open now follows the closed files that are found later, or is one of them.
      const open = await openLines(this.#path, longestLine);
      part ??= (await closedParts(this.#path))[0];
      const closed = part === undefined ? undefined : partPath(this.#path, part);
      const numbered = closed === undefined ? undefined : await openLines(closed, longestLine);
      if (closed !== undefined && numbered !== undefined) {
        await open?.close();
        await this.#read(closed, numbered, part);
      } else if (open !== undefined) {
        await this.#read(this.#path, open, undefined);
        const isSetAside = (await closedParts(this.#path)).includes(this.#check.part);
        if (!this.#check.isClosed || !isSetAside) return;
      } else {
        if (waited++ === mostWaits || !(await this.#isBetweenFiles())) throw this.#missing();
        await pause(systemClock, 20, { holds: true });
        continue;
      }
      part = this.#check.part + 1;
    }
  }

  /** True if a writer has closed a file and not made the next one yet. */
  async #isBetweenFiles(): Promise<boolean> {
    return this.#files.length > 0 && (await isThere(`${this.#path}.lock`));
  }

  async #read(path: string, lines: FileLines, part: number | undefined): Promise<void> {
    this.#files.push(path);
    try {
      this.#check.begin({ part, before: this.#before });
      for await (const piece of lines) this.#check.add(piece);
      this.#torn = this.#check.end();
      this.#before = { file: basename(partPath(this.#path, this.#check.part)), sha256: lines.sha256() };
    } finally {
      await lines.close();
    }
  }

  #missing(): Error {
    if (this.#files.length === 0) return fileError(`There is no audit log at ${this.#path}.`);
    this.#files.push(this.#path);
    return new BrokenChain(0, 'the file is missing, and the file before it says that it follows');
  }
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
