import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { isRecord, jsonIn } from '@tenon/foundation';
import type { AuditRecord } from '../audit/audit-log.js';

/** The first line of each file. */
export interface AuditHeader {
  /** Version of the format. */
  readonly format: number;
  /** Random; the same in all files of one log. */
  readonly id: string;
  /** 1 for the first file of the log. */
  readonly part: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** True if each line has a message authentication code. */
  readonly keyed: boolean;
  /** The file before this one, with the SHA-256 of its bytes. */
  readonly before?: { readonly file: string; readonly sha256: string };
}

/** Bytes at the end of a file that are not a line: a process or the machine ended while it wrote. */
export interface TornBytes {
  readonly bytes: number;
  readonly sha256: string;
}

/** The content of a line: one of the members. */
export interface AuditContent {
  readonly header?: AuditHeader;
  readonly record?: AuditRecord;
  /** The bytes between the line before and this one are what a crash left. */
  readonly recovered?: TornBytes;
  /** The last line of a file that is followed by another. */
  readonly end?: { readonly part: number };
}

/** The last line of a chain. */
export interface ChainEnd {
  readonly seq: number;
  /** The SHA-256 of the line, in hexadecimal. */
  readonly sha256: string;
}

/** A line as it was read. */
export interface AuditLine extends AuditContent, ChainEnd {
  /** The SHA-256 of the line before; empty in the first line of a log. */
  readonly prev: string;
  /** `unchecked`: there is one, and no key to check it with. */
  readonly mac: 'absent' | 'unchecked' | 'right' | 'wrong';
}

export const format = 1;
/** Bytes of a line, at most; a record has at most 64 KiB. */
export const longestLine: number = 65_536 + 1_024;

/** The text of a line, without its line feed, and its place in the chain. */
export interface WrittenLine extends ChainEnd {
  readonly text: string;
}

/**
 * Returns the line that follows another.
 * @param content - the JSON of one member of {@link AuditContent}, such as `"record":{...}`.
 */
export function lineAfter(
  last: ChainEnd | undefined,
  content: string,
  key: Uint8Array | undefined,
): WrittenLine {
  const seq = last === undefined ? 0 : last.seq + 1;
  const body = `{"seq":${seq},"prev":"${last?.sha256 ?? ''}",${content}}`;
  const text = key === undefined ? body : `${body.slice(0, -1)},"mac":"${macOf(body, key)}"}`;
  return { seq, sha256: sha256Of(text), text };
}

/** Returns a member of a line as JSON. */
export function memberOf(content: AuditContent): string {
  return JSON.stringify(content).slice(1, -1);
}

/** Reads a line; undefined if the text is not a line of an audit log. */
export function readLine(text: string, key: Uint8Array | undefined): AuditLine | undefined {
  const value = jsonIn(text);
  if (!isRecord(value)) return undefined;
  const { seq, prev } = value;
  if (typeof seq !== 'number' || !Number.isSafeInteger(seq) || typeof prev !== 'string') return undefined;
  const content = contentOf(value);
  return content && { ...content, seq, prev, sha256: sha256Of(text), mac: checkedMac(text, key) };
}

export function sha256Of(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

function macOf(body: string, key: Uint8Array): string {
  return createHmac('sha256', key).update(body).digest('hex');
}

function checkedMac(text: string, key: Uint8Array | undefined): AuditLine['mac'] {
  const [, body, mac] = /^(.*),"mac":"([0-9a-f]{64})"\}$/s.exec(text) ?? [];
  if (body === undefined || mac === undefined) return 'absent';
  if (key === undefined) return 'unchecked';
  const right = macOf(`${body}}`, key);
  return timingSafeEqual(Buffer.from(mac), Buffer.from(right)) ? 'right' : 'wrong';
}

function contentOf(value: Readonly<Record<string, unknown>>): AuditContent | undefined {
  const { header, record, recovered, end } = value;
  if ([header, record, recovered, end].filter(isRecord).length !== 1) return undefined;
  if (isRecord(record)) return typeof record.id === 'string' ? { record: record as never } : undefined;
  if (isRecord(header)) return isHeader(header) ? { header: header as never } : undefined;
  if (isRecord(recovered)) {
    const { bytes, sha256 } = recovered;
    return typeof bytes === 'number' && typeof sha256 === 'string'
      ? { recovered: { bytes, sha256 } }
      : undefined;
  }
  return isRecord(end) && typeof end.part === 'number' ? { end: { part: end.part } } : undefined;
}

function isHeader({ format: version, id, part, time, keyed, before }: Record<string, unknown>): boolean {
  const isPlain =
    typeof version === 'number' &&
    typeof id === 'string' &&
    typeof part === 'number' &&
    typeof time === 'number' &&
    typeof keyed === 'boolean';
  return (
    isPlain &&
    (before === undefined ||
      (isRecord(before) && typeof before.file === 'string' && typeof before.sha256 === 'string'))
  );
}
