import type { JsonObject } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';

/** One value that the file holds. */
export interface FileEntry {
  readonly key: string;
  readonly version: string;
  readonly value: JsonObject;
}

/** What a text turned out to be: entries in the order in which they were written, or why there are none. */
export type FileContent = readonly FileEntry[] | 'broken' | 'newer';

const format = 1;

/** Reads what {@link writeEntries} wrote; nothing at all is no entries. */
export function readEntries(text: string): FileContent {
  if (text === '') return [];
  try {
    const content: unknown = JSON.parse(text);
    if (!isObject(content)) return 'broken';
    if (typeof content.format === 'number' && content.format > format) return 'newer';
    const { entries } = content;
    return Array.isArray(entries) && entries.every(isEntry) ? entries : 'broken';
  } catch {
    return 'broken';
  }
}

/**
 * Writes entries as long as they fit: those written longest ago are left out first.
 * @returns undefined when not even the last one fits.
 */
export function writeEntries(entries: readonly FileEntry[], bytes: number): string | undefined {
  const texts = entries.map((entry) => JSON.stringify(entry));
  const frame = [`{"format":${format},"entries":[\n`, '\n]}\n'] as const;
  let room = bytes - frame.join('').length;
  let first = texts.length;
  for (const text of [...texts].reverse()) {
    // A comma and a new line between two.
    room -= Buffer.byteLength(text) + 2;
    if (room < 0) break;
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
