import { readFileSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ErrorReport } from './child-messages.js';

/** A place in a source file. */
interface SourcePlace {
  /** An absolute path. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** An error, with the part of its stack that is in the user's files. */
interface ExplainedError {
  readonly message: string;
  /** The lines of the stack in files of the folder, with paths relative to it. */
  readonly stack: readonly string[];
  /** The first place in the user's files. */
  readonly place?: SourcePlace;
  /** The source around that place: line numbers and texts. */
  readonly source: readonly { readonly line: number; readonly text: string }[];
}

const placePattern = /((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^\s():]+):(\d+)(?::(\d+))?/;
/** Lines before and after the place. */
const around = 2;
/** Lines of a stack. */
const mostLines = 8;
const longestLine = 200;

/** Returns an error with places relative to a folder. */
export function explainError({ message, stack }: ErrorReport, folder: string): ExplainedError {
  const lines = stack.split('\n');
  const isCall = (line: string) => /^\s+at /.test(line);
  const own = lines.filter((line) => isCall(line) && isOwn(placeIn(line), folder));
  const first = lines.findIndex(isCall);
  const head = lines.slice(0, first === -1 ? undefined : first);
  const place = placeIn(own[0] ?? '') ?? head.map(placeIn).find((one) => isOwn(one, folder));
  return {
    message:
      head
        .map((line) => shortened(line, folder))
        .join('\n')
        .trimEnd() || message,
    stack: own.slice(0, mostLines).map((line) => shortened(line.trim(), folder)),
    ...(place !== undefined && { place }),
    source: place === undefined ? [] : sourceAt(place),
  };
}

function placeIn(text: string): SourcePlace | undefined {
  const [, path, line, column = '1'] = placePattern.exec(text) ?? [];
  if (path === undefined) return undefined;
  try {
    const file = path.startsWith('file:') ? fileURLToPath(path) : path;
    return { file, line: Number(line), column: Number(column) };
  } catch {
    return undefined;
  }
}

function isOwn(place: SourcePlace | undefined, folder: string): boolean {
  if (place === undefined || /[\\/]node_modules[\\/]/.test(place.file)) return false;
  const path = relative(folder, place.file);
  return !path.startsWith('..') && !isAbsolute(path);
}

function shortened(line: string, folder: string): string {
  return line.replace(placePattern, (all) => {
    const place = placeIn(all);
    return place === undefined || !isOwn(place, folder)
      ? all
      : `${relative(folder, place.file)}:${place.line}:${place.column}`;
  });
}

function sourceAt({ file, line }: SourcePlace): ExplainedError['source'] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    const from = Math.max(1, line - around);
    return lines
      .slice(from - 1, line + around)
      .map((text, index) => ({ line: from + index, text: text.replace(/\r$/, '').slice(0, longestLine) }));
  } catch {
    return [];
  }
}
