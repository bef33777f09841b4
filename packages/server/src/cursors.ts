import { fromBase64Url, toBase64Url } from './base64.js';
import { sipHash } from './sip-hash.js';

const textLength = 22;
const bodyBytes = 8;

/** Where a page of a list ended. */
export interface Mark {
  /** Number of the last item in its list, 1 or more. */
  readonly number: number;
  /** Tells the last item from others: see {@link printOf}. */
  readonly print: number;
}

/** The two keys a secret comes to: one vouches for a cursor, the other hides what it says. */
interface CursorKeys {
  readonly voucher: Uint8Array;
  readonly veil: Uint8Array;
}

/**
 * Writes cursors and reads them back: texts of 22 characters that tell a client nothing, that belong to one list, and
 * that only who has the secret can make. They hold neither a process's state nor a time, so that they outlive a restart
 * and are the same on every instance with the same secret.
 */
export class Cursors {
  readonly #secrets: readonly Uint8Array[];
  #keys: readonly CursorKeys[] | undefined;

  /** @param secrets - the first one writes, all of them read. */
  constructor(secrets: readonly [Uint8Array, ...Uint8Array[]]) {
    this.#secrets = secrets;
  }

  write(list: string, { number, print }: Mark): string {
    const [keys] = this.#ready();
    if (keys === undefined) throw new TypeError('Cursors need a secret.');
    const body = new DataView(new ArrayBuffer(bodyBytes));
    body.setUint32(0, number);
    body.setUint32(4, print);
    const plain = new Uint8Array(body.buffer);
    const voucher = vouch(keys, list, plain);
    return toBase64Url(joined(veiled(keys, voucher, plain), voucher));
  }

  /** Undefined for anything but a cursor of that list. */
  read(list: string, cursor: string): Mark | undefined {
    const bytes = cursor.length === textLength ? fromBase64Url(cursor) : undefined;
    if (bytes === undefined) return undefined;
    const hidden = bytes.subarray(0, bodyBytes);
    const voucher = bytes.subarray(bodyBytes);
    for (const keys of this.#ready()) {
      const plain = veiled(keys, voucher, hidden);
      if (!sameBytes(vouch(keys, list, plain), voucher)) continue;
      const body = new DataView(plain.buffer);
      return { number: body.getUint32(0), print: body.getUint32(4) };
    }
    return undefined;
  }

  #ready(): readonly CursorKeys[] {
    this.#keys ??= this.#secrets.map(keysOf);
    return this.#keys;
  }
}

/**
 * A number of 32 bits that the name of an item comes to (FNV-1a); two items have the same by chance once in four thousand
 * million times. A whole list can be searched by it.
 */
export function printOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

function keysOf(secret: Uint8Array): CursorKeys {
  const part = (use: string) => sipHash(foldedKey(secret), joined(new TextEncoder().encode(use), secret));
  return {
    voucher: joined(part('cursor voucher 1'), part('cursor voucher 2')),
    veil: joined(part('cursor veil 1'), part('cursor veil 2')),
  };
}

function foldedKey(secret: Uint8Array): Uint8Array {
  const key = new Uint8Array(16);
  for (const [at, byte] of secret.entries()) key[at % 16] = (key[at % 16] ?? 0) ^ byte;
  return key;
}

function vouch({ voucher }: CursorKeys, list: string, plain: Uint8Array): Uint8Array {
  return sipHash(voucher, joined(plain, new TextEncoder().encode(list)));
}

/** Hides a body, and shows it again. */
function veiled({ veil }: CursorKeys, voucher: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const stream = sipHash(veil, voucher);
  return Uint8Array.from(body, (byte, at) => byte ^ (stream[at] ?? 0));
}

function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  let difference = left.length ^ right.length;
  for (const [at, byte] of left.entries()) difference |= byte ^ (right[at] ?? 0);
  return difference === 0;
}

function joined(left: Uint8Array, right: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(left.length + right.length);
  whole.set(left);
  whole.set(right, left.length);
  return whole;
}
