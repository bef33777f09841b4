import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** The last lines of a stream, within limits. */
export interface StderrTail {
  /** The kept lines, oldest first. */
  lines(): readonly string[];
  /** Resolves when the stream has ended. */
  readonly ended: Promise<void>;
}

/** The limits of a tail. */
export interface TailBounds {
  readonly maxLines: number;
  /** Characters in one line; the rest is dropped. */
  readonly maxLineLength: number;
}

/**
 * Reads a stream to its end, and keeps its last lines.
 * @param onLines - called with the non-blank lines of each chunk.
 */
export function tailOf(
  stream: Readable,
  bounds: TailBounds,
  onLines?: (lines: readonly string[]) => void,
): StderrTail {
  const decoder = new StringDecoder('utf8');
  const kept: string[] = [];
  let partial = '';
  const take = (text: string): void => {
    const finished: string[] = [];
    const pieces = text.split('\n');
    for (const [index, piece] of pieces.entries()) {
      partial += piece.slice(0, bounds.maxLineLength - partial.length);
      if (index === pieces.length - 1) break;
      const line = partial.trimEnd();
      partial = '';
      if (line !== '') finished.push(line);
    }
    if (finished.length === 0) return;
    kept.push(...finished.slice(-bounds.maxLines));
    kept.splice(0, kept.length - bounds.maxLines);
    onLines?.(finished);
  };
  const ended = new Promise<void>((resolve) => {
    stream.on('data', (chunk: Buffer) => take(decoder.write(chunk)));
    stream.on('error', () => {});
    stream.on('close', () => {
      take(`${decoder.end()}\n`);
      resolve();
    });
  });
  return { lines: () => kept, ended };
}
