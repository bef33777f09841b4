import type { FileHandle } from 'node:fs/promises';
import { fileError } from '@tenon/foundation/node';
import {
  type AuditHeader,
  type AuditLine,
  type ChainEnd,
  format,
  longestLine,
  readLine,
  sha256Of,
  type TornBytes,
} from './audit-lines.js';

/** The end of a file, where the next line goes. */
export interface FileEnd {
  readonly header: AuditHeader;
  readonly last: ChainEnd;
  /** True if the file is closed: its last line says so. */
  readonly isClosed: boolean;
  /** Bytes behind the last line. */
  readonly torn: TornBytes | undefined;
  /** Bytes of the file. */
  readonly size: number;
}

/** Bytes that are searched for the last line; one write has fewer. */
const longestSearch = 4_194_304;

/**
 * Reads the header and the last line of a file.
 * @param path - for errors.
 * @throws FileError if the file is not an audit log, or was written with another key.
 */
export async function readEnd(file: FileHandle, path: string, key: Uint8Array | undefined): Promise<FileEnd> {
  const { size } = await file.stat();
  const header = await headerOf(file, path);
  if (header.keyed !== (key !== undefined)) {
    const [was, now] = header.keyed ? ['with', 'without'] : ['without', 'with'];
    throw fileError(`${path} was written ${was} a key, and is opened ${now} one: choose another path.`);
  }
  for (let span = 2 * longestLine; ; span *= 4) {
    const from = Math.max(0, size - span);
    const bytes = await bytesAt(file, from, size - from);
    const found = lastLineIn(bytes, key);
    if (found === undefined) {
      if (from > 0 && span < longestSearch) continue;
      throw fileError(
        `${path} is damaged at its end. Check it with "tenon audit verify", and move it to another place.`,
      );
    }
    const { line, end } = found;
    if (line.mac === 'wrong' || (key !== undefined && line.mac === 'absent'))
      throw fileError(
        `The last line of ${path} was not written with this key: choose another path, or use its key.`,
      );
    const rest = bytes.subarray(end);
    return {
      ...{ header, size, last: line, isClosed: line.end !== undefined },
      torn: rest.length === 0 ? undefined : { bytes: rest.length, sha256: sha256Of(rest) },
    };
  }
}

async function headerOf(file: FileHandle, path: string): Promise<AuditHeader> {
  const text = new TextDecoder().decode(await bytesAt(file, 0, 4_096));
  const header = readLine(text.split('\n', 1)[0] ?? '', undefined)?.header;
  if (header === undefined)
    throw fileError(`${path} is not an audit log: delete it, or choose another path.`);
  if (header.format === format) return header;
  throw fileError(
    `${path} was written by another version of this program (format ${header.format}): choose another path.`,
  );
}

interface FoundLine {
  readonly line: AuditLine;
  /** The index behind its line feed. */
  readonly end: number;
}

/** Returns the last whole line; undefined if there is none. */
function lastLineIn(bytes: Uint8Array, key: Uint8Array | undefined): FoundLine | undefined {
  for (let end = bytes.lastIndexOf(lineFeed); end >= 0; ) {
    const before = end === 0 ? -1 : bytes.lastIndexOf(lineFeed, end - 1);
    const line = readLine(new TextDecoder().decode(bytes.subarray(before + 1, end)), key);
    if (line !== undefined) return { line, end: end + 1 };
    end = before;
  }
  return undefined;
}

const lineFeed = 10;

async function bytesAt(file: FileHandle, from: number, length: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await file.read(buffer, read, length - read, from + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return buffer.subarray(0, read);
}
