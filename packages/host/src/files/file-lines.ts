import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { codeOf, fileError } from '@tenon/foundation/node';

/** A line of a file, or a piece of a line that is too long or not complete. */
export interface LinePiece {
  /** Without the line feed. */
  readonly data: Uint8Array;
  /** True if the line begins with this piece. */
  readonly starts: boolean;
  /** True if a line feed follows. */
  readonly ends: boolean;
}

/** A file as it is read. */
export interface FileLines extends AsyncIterable<LinePiece> {
  /** Returns the SHA-256 of the bytes, once all lines are read. */
  sha256(): string;
  close(): Promise<void>;
}

const chunk = 65_536;

/**
 * Opens a file to read it line by line, in bounded memory. Returns undefined if there is none.
 * @param longest - bytes of a piece, at most.
 * @throws FileError if the file cannot be read.
 */
export async function openLines(path: string, longest: number): Promise<FileLines | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw unreadable(path, error);
  }
  const hash = createHash('sha256');
  return {
    [Symbol.asyncIterator]: () => piecesOf({ file, path }, longest, (bytes) => hash.update(bytes)),
    sha256: () => hash.copy().digest('hex'),
    close: () => file.close(),
  };
}

async function* piecesOf(
  { file, path }: { readonly file: FileHandle; readonly path: string },
  longest: number,
  onBytes: (bytes: Uint8Array) => void,
): AsyncGenerator<LinePiece, void, undefined> {
  let rest: Uint8Array = new Uint8Array(0);
  let starts = true;
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await file.read(new Uint8Array(chunk), 0, chunk, at).catch((error) => {
      throw unreadable(path, error);
    });
    if (bytesRead === 0) break;
    at += bytesRead;
    const bytes = buffer.subarray(0, bytesRead);
    onBytes(bytes);
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      yield { data: joined(rest, bytes.subarray(from, end)), starts, ends: true };
      rest = new Uint8Array(0);
      starts = true;
      from = end + 1;
    }
    rest = joined(rest, bytes.subarray(from));
    if (rest.length > longest) {
      yield { data: rest, starts, ends: false };
      rest = new Uint8Array(0);
      starts = false;
    }
  }
  if (rest.length > 0 || !starts) yield { data: rest, starts, ends: false };
}

function unreadable(path: string, cause: unknown): Error {
  return fileError(`Cannot read ${path} (${codeOf(cause)}).`, cause);
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b;
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
