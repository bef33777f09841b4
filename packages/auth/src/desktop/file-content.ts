import { jsonIn } from '@tenon/foundation';
import type { JsonObject } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';

/** One entry of the file. */
export interface FileEntry {
  readonly key: string;
  readonly version: string;
  readonly value: JsonObject;
}

/** The parsed file: entries in the order of writing, or the reason why there are none. */
export type FileContent = readonly FileEntry[] | 'broken' | 'newer';

const format = 1;

/** Parses the text of {@link writeEntries}; an empty text has no entries. */
export function readEntries(text: string): FileContent {
  if (text === '') return [];
  const content = jsonIn(text);
  if (!isObject(content)) return 'broken';
  if (typeof content.format === 'number' && content.format > format) return 'newer';
  const { entries } = content;
  return Array.isArray(entries) && entries.every(isEntry) ? entries : 'broken';
}

/**
 * Writes as many entries as fit, the most recently written first.
 * @returns undefined if not even the last entry fits.
 */
export function writeEntries(entries: readonly FileEntry[], bytes: number): string | undefined {
  const texts = entries.map((entry) => JSON.stringify(entry));
  const frame = [`{"format":${format},"entries":[\n`, '\n]}\n'] as const;
  let remaining = bytes - frame.join('').length;
  let first = texts.length;
  for (const text of [...texts].reverse()) {
    // 2 for the comma and the new line between entries.
    remaining -= Buffer.byteLength(text) + 2;
    if (remaining < 0) break;
    first--;
  }
  if (first === texts.length && texts.length > 0) return undefined;
  return frame.join(texts.slice(first).join(',\n'));
}

function isEntry(value: unknown): value is FileEntry {
  return (
    isObject(value) &&
    typeof value.key === 'string' &&
    typeof value.version === 'string' &&
    isObject(value.value)
  );
}
