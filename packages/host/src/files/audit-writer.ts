import { randomUUID } from 'node:crypto';
import { type FileHandle, rename, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Clock } from '@tenon/foundation';
import { codeOf, FileError, fileError, LockFile, PrivateFile, syncFolder } from '@tenon/foundation/node';
import { type FileEnd, readEnd } from './audit-end.js';
import { type AuditHeader, type ChainEnd, format, lineAfter, memberOf } from './audit-lines.js';
import { closedParts, partPath, sha256OfFile } from './audit-parts.js';

/** The path of a log, and the options of its writer. */
export interface WriterOptions {
  readonly path: string;
  /** Bytes from which a file is closed. */
  readonly bytes: number;
  /** Closed files that are kept. */
  readonly files: number;
  readonly key: Uint8Array | undefined;
  /** True to wait until the disk has the lines. */
  readonly sync: boolean;
  readonly clock: Clock;
}

/** The file as this process left it. */
interface KnownFile {
  readonly ino: number;
  readonly end: FileEnd;
}

interface OpenFile extends KnownFile {
  readonly file: FileHandle;
}

const anySize = { bytes: Number.POSITIVE_INFINITY };

/** Writes the lines of a log into its files, beside other processes that do the same. */
export class AuditWriter {
  readonly #options: WriterOptions;
  readonly #file: PrivateFile;
  readonly #lock: LockFile;
  #known: KnownFile | undefined;

  constructor(options: WriterOptions) {
    const { path, clock } = options;
    this.#options = options;
    this.#file = new PrivateFile(path, { ...anySize, clock });
    this.#lock = new LockFile(`${path}.lock`, { stale: 10_000, wait: 15_000, clock });
  }

  /**
   * Appends records, each as JSON. Resolves when all of them are in the file; after an error, none of them is.
   * @throws FileError
   */
  async write(records: readonly string[]): Promise<void> {
    // Once there were records, a missing folder is an error: they are gone.
    if (this.#known === undefined) await this.#file.prepare();
    await this.#lock.hold(async () => {
      const open = await this.#ready();
      try {
        await this.#append(
          open,
          records.map((record) => `"record":${record}`),
        );
      } finally {
        await open.file.close();
      }
    });
  }

  /** Opens the file at its end. Makes it if there is none, and the next one if it is full. */
  async #ready(): Promise<OpenFile> {
    for (;;) {
      const file = await this.#file.open('append');
      if (file === undefined) {
        await this.#create();
        continue;
      }
      let open: OpenFile;
      try {
        open = { file, ...(await this.#endOf(file)) };
        const { isClosed, size, header } = open.end;
        if (!isClosed && size < this.#options.bytes) return open;
        if (!isClosed) await this.#append(open, [memberOf({ end: { part: header.part } })], true);
      } catch (error) {
        await file.close();
        throw this.#failed('read', error);
      }
      await file.close();
      await this.#setAside(open.end.header.part);
    }
  }

  /** Reads the end of the file, unless it is as this process left it. @throws FileError if records are gone. */
  async #endOf(file: FileHandle): Promise<KnownFile> {
    const { path, key } = this.#options;
    const { ino, size } = await file.stat();
    const known = this.#known;
    if (known?.ino === ino && known.end.size === size) return known;
    const end = await readEnd(file, path, key);
    this.#requireLater(end);
    return { ino, end };
  }

  /** Requires that a file has all that this process has written, or follows it. */
  #requireLater({ header, last }: Pick<FileEnd, 'header' | 'last'>): void {
    const known = this.#known?.end;
    if (known === undefined) return;
    const isSame = header.id === known.header.id;
    if (isSame && last.seq > known.last.seq) return;
    if (isSame && last.seq === known.last.seq && last.sha256 === known.last.sha256) return;
    throw this.#gone();
  }

  /** @param isClosed - true if the last line ends the file, which may then only be set aside. */
  async #append({ file, ino, end }: OpenFile, members: readonly string[], isClosed = false): Promise<void> {
    const { key, sync } = this.#options;
    const { torn } = end;
    const all = torn === undefined ? members : [memberOf({ recovered: torn }), ...members];
    let last: ChainEnd = end.last;
    let text = torn === undefined || (await endsWithLineFeed(file, end.size)) ? '' : '\n';
    for (const member of all) {
      const line = lineAfter(last, member, key);
      text += `${line.text}\n`;
      last = line;
    }
    const data = new TextEncoder().encode(text);
    try {
      await file.writeFile(data);
      if (sync) await file.datasync();
    } catch (error) {
      // The requests of these records are refused, so no part of them may stay.
      await file.truncate(end.size).catch(ignore);
      throw this.#failed('write', error);
    }
    this.#known = { ino, end: { ...end, last, isClosed, torn: undefined, size: end.size + data.length } };
  }

  /** Makes the file, as the next one of the closed files if there are any. */
  async #create(): Promise<void> {
    const { path, key, files } = this.#options;
    const parts = await closedParts(path).catch((error: unknown) => {
      throw this.#failed('read the folder of', error);
    });
    const part = parts.at(-1);
    if (part === undefined && this.#known !== undefined) throw this.#gone();
    const before = part === undefined ? undefined : await this.#closedFile(part);
    const header: AuditHeader = {
      format,
      id: before?.header.id ?? randomUUID(),
      part: (part ?? 0) + 1,
      time: Date.now(),
      keyed: key !== undefined,
      ...(before !== undefined && { before: { file: before.file, sha256: before.sha256 } }),
    };
    const line = lineAfter(before?.last, memberOf({ header }), key);
    await this.#file.write(`${line.text}\n`);
    const old = parts.slice(0, Math.max(0, parts.length - files));
    for (const one of old) await unlink(partPath(path, one)).catch(ignore);
  }

  /** Reads the end of a closed file, and the SHA-256 of the file. */
  async #closedFile(part: number): Promise<FileEnd & { readonly file: string; readonly sha256: string }> {
    const { path, key, clock } = this.#options;
    const closed = partPath(path, part);
    const file = await new PrivateFile(closed, { ...anySize, clock }).open();
    if (file === undefined) throw this.#gone();
    try {
      const end = await readEnd(file, closed, key);
      this.#requireLater(end);
      if (!end.isClosed || end.torn !== undefined)
        throw fileError(`${path} is missing, and ${closed} does not end before it: records are gone.`);
      return { ...end, file: basename(closed), sha256: await sha256OfFile(file) };
    } catch (error) {
      throw this.#failed('read', error);
    } finally {
      await file.close();
    }
  }

  async #setAside(part: number): Promise<void> {
    const { path } = this.#options;
    const closed = partPath(path, part);
    if ((await closedParts(path)).includes(part))
      throw fileError(`${closed} exists already: move the files of another log to another place.`);
    await rename(path, closed).catch((error: unknown) => {
      throw this.#failed('rename', error);
    });
    await syncFolder(dirname(path));
  }

  #gone(): FileError {
    return new FileError(
      `${this.#options.path} was removed, replaced or shortened while this program wrote it: records are gone. Find out why, then restart the program.`,
    );
  }

  #failed(what: string, cause: unknown): Error {
    if (cause instanceof FileError) return cause;
    return fileError(
      `Cannot ${what} ${this.#options.path} (${codeOf(cause)}): free the disk or make the file writable.`,
      cause,
    );
  }
}

async function endsWithLineFeed(file: FileHandle, size: number): Promise<boolean> {
  const { buffer } = await file.read(new Uint8Array(1), 0, 1, size - 1);
  return buffer[0] === 10;
}

function ignore(): void {}
