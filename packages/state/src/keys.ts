import { toBase64Url } from '@tenon/foundation';
import { type Fence, StateError } from './state.js';

/** Limits that every adapter keeps. */
export const stateLimits: {
  /** Characters of a key, a topic or the name of a lease. */
  readonly keyLength: number;
  /** Bytes of UTF-8 of a value, a log entry or a message. */
  readonly valueBytes: number;
  /** Messages that wait for one subscriber. */
  readonly queuedMessages: number;
  /** Bytes of the messages that wait for one subscriber. */
  readonly queuedBytes: number;
  /** Entries of one page of a log, by default. */
  readonly pageEntries: number;
  /** Bytes of one page of a log, by default. */
  readonly pageBytes: number;
} = {
  keyLength: 512,
  valueBytes: 4 * 1024 * 1024,
  queuedMessages: 1_024,
  queuedBytes: 8 * 1024 * 1024,
  pageEntries: 1_000,
  pageBytes: 1024 * 1024,
};

const segment = '[A-Za-z0-9._~:@=+,%-]+';
const keyPattern = new RegExp(`^${segment}/${segment}(?:/${segment})*$`);
const leasePattern = new RegExp(`^${segment}/${segment}$`);

/**
 * Checks a key: segments of letters, digits and `._~:@=+,%-`, joined by `/`, at least two of them, such as `session/abc/record`.
 * The first two segments are the group: keys of one group are on one node of a cluster, and a lease fences writes in its group.
 * @throws TypeError if the key is malformed.
 * @throws StateError with reason `too-large` if it has more than 512 characters.
 */
export function requireKey(key: string): void {
  requireText(key, {
    what: 'key',
    pattern: keyPattern,
    shape: 'two or more segments, such as "session/abc/record"',
  });
}

/** Checks a topic of the bus by the rule of {@link requireKey}. */
export function requireTopic(topic: string): void {
  requireText(topic, {
    what: 'topic',
    pattern: keyPattern,
    shape: 'two or more segments, such as "session/abc/events"',
  });
}

/** Checks the name of a lease: two segments. */
export function requireLeaseName(name: string): void {
  requireText(name, {
    what: 'lease name',
    pattern: leasePattern,
    shape: 'two segments, such as "session/abc"',
  });
}

/** Returns the group of a key: its first two segments. */
export function groupOf(key: string): string {
  return key.slice(0, `${key}/`.indexOf('/', key.indexOf('/') + 1));
}

/** Returns any text as one segment of a key. Characters that a segment cannot have are percent-encoded. */
export function keySegment(text: string): string {
  return text === ''
    ? '%'
    : encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd')).replace(/[!'()*]/g, percentEncoded);
}

/** @throws StateError with reason `too-large` if a value, a log entry or a message exceeds 4 MiB. */
export function requireValue(what: string, value: string): void {
  if (typeof value !== 'string') throw new TypeError(`State: the value of ${what} must be a string.`);
  // No text has more bytes of UTF-8 than three times its length.
  if (value.length * 3 <= stateLimits.valueBytes) return;
  if (value.length > stateLimits.valueBytes || byteLength(value) > stateLimits.valueBytes)
    throw new StateError('too-large', `State: the value of ${what} exceeds ${stateLimits.valueBytes} bytes.`);
}

/** @throws RangeError if a time to live is not a positive number of milliseconds. */
export function requireTtl(what: string, ttl: number | undefined): void {
  if (ttl === undefined || (ttl > 0 && ttl <= Number.MAX_SAFE_INTEGER)) return;
  throw new RangeError(
    `State: the time to live of ${what} must be a positive number of milliseconds, not ${ttl}.`,
  );
}

/** Counts bytes without a copy, in runtimes that have it. */
const { Buffer: native } = globalThis as { readonly Buffer?: { byteLength(text: string): number } };

/** Returns the bytes of a text in UTF-8. */
export function byteLength(text: string): number {
  return native === undefined ? countBytes(text) : native.byteLength(text);
}

function countBytes(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x80) continue;
    bytes += code < 0x800 ? 1 : 2;
    // A pair of surrogates is two characters and four bytes.
    if (code >= 0xd800 && code < 0xdc00 && index + 1 < text.length) {
      const next = text.charCodeAt(index + 1);
      if (next >= 0xdc00 && next < 0xe000) index++;
    }
  }
  return bytes;
}

interface TextRule {
  readonly what: string;
  readonly pattern: RegExp;
  readonly shape: string;
}

function requireText(text: string, { what, pattern, shape }: TextRule): void {
  if (typeof text === 'string' && text.length > stateLimits.keyLength)
    throw new StateError('too-large', `State: a ${what} has at most ${stateLimits.keyLength} characters.`);
  if (typeof text !== 'string' || !pattern.test(text))
    throw new TypeError(
      `State: ${JSON.stringify(text)} is not a ${what}. Write ${shape}, of letters, digits and ._~:@=+,%-.`,
    );
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Milliseconds for which a backend remembers the last token of a lease: no holder sleeps for longer and then writes. */
export const fenceLifetime: number = 7 * 86_400_000;

/** @throws TypeError if the lease of a fence does not cover the key: its name must be the first two segments of the key. */
export function requireFenceOf(key: string, { name, token }: Fence): void {
  requireLeaseName(name);
  if (groupOf(key) !== name)
    throw new TypeError(
      `State: the lease "${name}" does not fence "${key}". It fences keys that begin with "${name}/".`,
    );
  if (!Number.isSafeInteger(token))
    throw new TypeError(`State: the token of the lease "${name}" must be an integer.`);
}

/** Returns the error for a write with a token that is no longer the greatest. */
export function fenced(key: string, { name }: Fence): StateError {
  return new StateError(
    'fenced',
    `State: "${key}" was not written. A later holder acquired the lease "${name}".`,
  );
}

/** Returns a text as one segment of a key, of 43 characters whatever its length: SHA-256 in base64url. */
export async function digestSegment(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return toBase64Url(new Uint8Array(digest));
}
