import { createHash, type Hash } from 'node:crypto';
import type { AuditRecord } from '../audit/audit-log.js';
import {
  type AuditHeader,
  type AuditLine,
  type ChainEnd,
  format,
  readLine,
  sha256Of,
  type TornBytes,
} from './audit-lines.js';
import type { LinePiece } from './file-lines.js';

/** The first place where a log does not fit together. */
export class BrokenChain extends Error {
  readonly line: number;

  constructor(line: number, reason: string) {
    super(reason);
    this.line = line;
  }
}

/** The options of a check. */
export interface ChainCheckOptions {
  readonly key: Uint8Array | undefined;
  /** True if the first files may be gone. */
  readonly pruned: boolean;
  readonly anchor: ChainEnd | undefined;
  readonly onRecord: (record: AuditRecord, line: number) => void;
}

/** A file as it begins. */
export interface CheckedFile {
  /** The number that its name says; undefined for the open file. */
  readonly part: number | undefined;
  /** The file before it. */
  readonly before: { readonly file: string; readonly sha256: string } | undefined;
}

/** Checks the lines of a log in order. Each method throws a {@link BrokenChain} at the first problem. */
export class ChainCheck {
  readonly #options: ChainCheckOptions;
  #file: CheckedFile = { part: undefined, before: undefined };
  /** The header of the file; undefined until it is read. */
  #header: AuditHeader | undefined;
  #id: string | undefined;
  #isClosed = false;
  #line = 0;
  #garbage = new Garbage();
  #hasAnchor = false;
  first: ChainEnd | undefined;
  last: ChainEnd | undefined;
  recovered = 0;
  macs = false;

  constructor(options: ChainCheckOptions) {
    this.#options = options;
  }

  /** True if the last line of the file says that another follows. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  get part(): number {
    return this.#header?.part ?? 0;
  }

  begin(file: CheckedFile): void {
    this.#file = file;
    this.#header = undefined;
    this.#isClosed = false;
    this.#line = 0;
  }

  add({ data, starts, ends }: LinePiece): void {
    if (starts) this.#line++;
    const line = starts && ends ? readLine(new TextDecoder().decode(data), this.#options.key) : undefined;
    if (line === undefined) this.#garbage.add(data, ends);
    else this.#check(line);
  }

  /** Ends a file. @returns the bytes behind the last line feed: a line that is being written, or torn. */
  end(): number {
    if (this.#header === undefined) throw this.#broken('it is not a line of an audit log');
    const { torn } = this.#garbage;
    if (torn === undefined) throw this.#broken('it is not a line of an audit log');
    if (torn > 0 && this.#isClosed) throw this.#broken('it is behind the end of the file');
    if (this.#file.part !== undefined && !this.#isClosed)
      throw this.#broken('the file does not end with it, because another file follows: lines are missing');
    this.#garbage = new Garbage();
    return torn;
  }

  /** Ends the log. */
  finish(): void {
    const { anchor } = this.#options;
    if (anchor === undefined || this.#hasAnchor) return;
    const { first, last } = this;
    throw this.#broken(
      `the log has the lines ${first?.seq} to ${last?.seq}, and not line ${anchor.seq}, which it had before`,
    );
  }

  #check(line: AuditLine): void {
    this.#checkGarbage(line);
    this.#checkMac(line);
    if (line.header === undefined) {
      if (this.#header === undefined) throw this.#broken('it is not the header of an audit log');
    } else this.#checkHeader(line.header);
    if (this.#isClosed) throw this.#broken('it is behind the end of the file');
    this.#checkPlace(line);
    const { seq, sha256, record } = line;
    const { anchor, onRecord } = this.#options;
    if (anchor?.seq === seq) {
      if (anchor.sha256 !== sha256) throw this.#broken(`it is not the line ${seq} that the log had before`);
      this.#hasAnchor = true;
    }
    this.last = { seq, sha256 };
    this.first ??= this.last;
    if (record !== undefined) onRecord(record, this.#line);
    this.#isClosed = line.end !== undefined;
  }

  #checkGarbage({ recovered }: AuditLine): void {
    if (recovered === undefined) {
      if (this.#garbage.isEmpty) return;
      throw new BrokenChain(this.#line - 1, 'it is not a line of an audit log');
    }
    if (!this.#garbage.is(recovered))
      throw this.#broken('it reports torn bytes, and the bytes before it are others');
    this.#garbage = new Garbage();
    this.recovered++;
  }

  #checkMac({ mac }: AuditLine): void {
    const { key } = this.#options;
    this.macs ||= mac !== 'absent';
    if (key === undefined || mac === 'right') return;
    throw this.#broken(
      mac === 'absent' ? 'it was written without the key' : 'it was changed, or written with another key',
    );
  }

  #checkHeader(header: AuditHeader): void {
    const { part, before } = this.#file;
    if (this.#header !== undefined) throw this.#broken('it is a second header');
    this.#header = header;
    if (header.format !== format)
      throw this.#broken(`it is of format ${header.format}, and this program reads format ${format}`);
    if (this.#id !== undefined && header.id !== this.#id) throw this.#broken('it begins another log');
    if (part !== undefined && header.part !== part)
      throw this.#broken(`it is the header of file ${header.part}, and the name of the file says ${part}`);
    if (header.part > 1 && this.#id === undefined && !this.#options.pruned)
      throw this.#broken(
        `it is the header of file ${header.part}, and the files before it are missing (they may be if old files are deleted: use the option pruned)`,
      );
    this.#id = header.id;
    if (before === undefined) return;
    if (header.before?.file !== before.file || header.before.sha256 !== before.sha256)
      throw this.#broken(`it does not follow ${before.file}: that file was changed, or files are missing`);
  }

  #checkPlace({ seq, prev }: AuditLine): void {
    const { last } = this;
    if (last === undefined) {
      if (this.#header?.part !== 1) return;
      if (seq !== 0 || prev !== '') throw this.#broken('it is the first line, and names a line before it');
      return;
    }
    if (seq !== last.seq + 1)
      throw this.#broken(
        `its number is ${seq}, and ${last.seq + 1} is next: lines are missing, added or moved`,
      );
    if (prev !== last.sha256)
      throw this.#broken(
        'it does not follow the line before it: that line was changed, or another was there',
      );
  }

  #broken(reason: string): BrokenChain {
    return new BrokenChain(this.#line, reason);
  }
}

/** Bytes that are not a line. Only their digest is kept. */
class Garbage {
  #hash: Hash = createHash('sha256');
  #bytes = 0;
  /** True if a line feed follows that is not hashed yet. */
  #lineFeed = false;

  get isEmpty(): boolean {
    return this.#bytes === 0 && !this.#lineFeed;
  }

  /** The bytes, if no line feed is behind or in them. */
  get torn(): number | undefined {
    return this.#lines === 0 ? this.#bytes : undefined;
  }

  #lines = 0;

  add(data: Uint8Array, ends: boolean): void {
    if (this.#lineFeed) this.#update(new Uint8Array([10]));
    this.#update(data);
    this.#lineFeed = ends;
    if (ends) this.#lines++;
  }

  /** True if a line reports these bytes: with their last line feed, or without it if the report has added it. */
  is({ bytes, sha256 }: TornBytes): boolean {
    if (bytes === this.#bytes) return this.#hash.copy().digest('hex') === sha256;
    if (!this.#lineFeed || bytes !== this.#bytes + 1) return false;
    return this.#hash.copy().update('\n').digest('hex') === sha256;
  }

  #update(data: Uint8Array): void {
    this.#hash.update(data);
    this.#bytes += data.length;
  }
}

/** Counts the requests without an outcome in the log. */
export class UnfinishedRequests {
  readonly #ids = new Set<string>();
  /** Requests that are not remembered, because there are too many. */
  #more = 0;

  get count(): number {
    return this.#ids.size + this.#more;
  }

  add({ id, outcome }: AuditRecord): void {
    const key = id.length > 64 ? sha256Of(id) : id;
    if (outcome !== 'running') this.#ids.delete(key);
    else if (this.#ids.size < 100_000) this.#ids.add(key);
    else this.#more++;
  }
}
