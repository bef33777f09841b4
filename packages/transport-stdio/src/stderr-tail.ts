import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** The last lines of a stream, within bounds. */
export interface StderrTail {
  /** The lines kept, oldest first. */
  lines(): readonly string[];
  /** Resolves when the stream has ended. */
  readonly ended: Promise<void>;
}

/** Bounds of a tail. */
export interface TailBounds {
  readonly maxLines: number;
  /** Characters in one line; the rest of it is dropped. */
  readonly maxLineLength: number;
}

/** Reads a stream to its end, keeps its last lines and hands every line that is not blank to `onLine`. */
export function tailOf(stream: Readable, bounds: TailBounds, onLine?: (line: string) => void): StderrTail {
  const decoder = new StringDecoder('utf8');
  const kept: string[] = [];
  let partial = '';
  const finishLine = (): void => {
    const line = partial.trimEnd();
    partial = '';
    if (line === '') return;
    kept.push(line);
    if (kept.length > bounds.maxLines) kept.shift();
    onLine?.(line);
  };
  const take = (text: string): void => {
    const lines = text.split('\n');
    for (const [index, line] of lines.entries()) {
      partial += line.slice(0, bounds.maxLineLength - partial.length);
      if (index < lines.length - 1) finishLine();
    }
  };
  const ended = new Promise<void>((resolve) => {
    stream.on('data', (chunk: Buffer) => take(decoder.write(chunk)));
    stream.on('error', () => {});
    stream.on('close', () => {
      take(decoder.end());
      finishLine();
      resolve();
    });
  });
  return { lines: () => kept, ended };
}
