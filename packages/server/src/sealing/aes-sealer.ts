import { fromBase64Url, toBase64Url } from '@tenon/foundation';
import { ErrorCode, RpcError } from '@tenon/mcp-protocol';
import type { SecretBytes } from '@tenon/mcp-session/internal';
import { FixedKeyRing, type KeyRing, keyIdBytes } from './key-ring.js';
import { SharedKeyRing, type SharedKeys } from './shared-key-ring.js';

/** A state that was opened. */
export interface Opened {
  readonly state: unknown;
  /** An id that is unique for each sealed text. */
  readonly id: string;
  /** Milliseconds until it expires. */
  readonly ttl: number;
}

/** Seals data that the client stores, so that the client can neither read, change nor transplant it. */
export interface Sealer {
  /**
   * @param binding - the owner of the state; it opens only with the same binding.
   * @throws RangeError if the sealed text would be too long; RpcError overloaded if the keys cannot be read.
   */
  seal(state: unknown, binding: string): Promise<string>;
  /** @throws RpcError invalid params if the text was not sealed with a key of the ring for this binding, or has expired; overloaded if the keys cannot be read. */
  open(text: unknown, binding: string): Promise<Opened>;
  /** Adds a new first key to those that processes share. */
  rotate(): Promise<void>;
}

/** The options that `createSealer` checked. */
export interface AesSealerOptions {
  readonly secrets: SecretBytes | undefined;
  /** The processes that share the keys, if there are no secrets. */
  readonly shared: SharedKeys | undefined;
  readonly lifetime: number;
  readonly size: number;
  readonly now: () => number;
}

const format = 1;
const ivBytes = 12;
const tagBytes = 16;
const headBytes = 1 + keyIdBytes;

/** Seals with AES-256-GCM; key id and binding are authenticated. */
export class AesSealer implements Sealer {
  readonly #ring: KeyRing;
  readonly #lifetime: number;
  readonly #size: number;
  readonly #now: () => number;

  constructor({ secrets, shared, lifetime, size, now }: AesSealerOptions) {
    this.#ring =
      shared === undefined ? new FixedKeyRing(secrets) : new SharedKeyRing(shared, { lifetime, now });
    this.#lifetime = lifetime;
    this.#size = size;
    this.#now = now;
  }

  async seal(state: unknown, binding: string): Promise<string> {
    const { id, key } = await this.#ring.current();
    const issued = this.#now();
    const plain = new TextEncoder().encode(JSON.stringify([issued, issued + this.#lifetime, state]));
    const length = Math.ceil(((headBytes + ivBytes + plain.length + tagBytes) * 4) / 3);
    if (length > this.#size) {
      throw new RangeError(
        `The state between rounds takes ${length} characters, and ${this.#size} are allowed.`,
      );
    }
    const head = Uint8Array.of(format, ...id);
    const iv = globalThis.crypto.getRandomValues(new Uint8Array(ivBytes));
    const sealed = await globalThis.crypto.subtle.encrypt(cipher(iv, head, binding), key, plain);
    return toBase64Url(joined(head, iv, new Uint8Array(sealed)));
  }

  async open(text: unknown, binding: string): Promise<Opened> {
    const decrypted = await this.#decrypt(text, binding);
    if (decrypted === undefined) throw refusal('is not valid for this request.');
    const { plain, id } = decrypted;
    const [issued, expires, state] = JSON.parse(new TextDecoder().decode(plain)) as [number, number, unknown];
    // The lifetime may have been shortened since.
    const ttl = Math.min(expires, issued + this.#lifetime) - this.#now();
    if (ttl <= 0) throw refusal('has expired: make the request anew.');
    return { state, id, ttl };
  }

  async rotate(): Promise<void> {
    if (this.#ring instanceof SharedKeyRing) await this.#ring.rotate();
  }

  async #decrypt(
    text: unknown,
    binding: string,
  ): Promise<{ readonly plain: ArrayBuffer; readonly id: string } | undefined> {
    if (typeof text !== 'string' || text.length > this.#size) return undefined;
    const bytes = fromBase64Url(text);
    if (bytes === undefined || bytes.length < headBytes + ivBytes + tagBytes || bytes[0] !== format)
      return undefined;
    const head = bytes.subarray(0, headBytes);
    const iv = bytes.subarray(headBytes, headBytes + ivBytes);
    const found = await this.#ring.find(head.subarray(1));
    if (found === undefined) return undefined;
    const sealed = bytes.subarray(headBytes + ivBytes);
    try {
      const plain = await globalThis.crypto.subtle.decrypt(cipher(iv, head, binding), found.key, sealed);
      // Of the bytes, not of the text: the same bytes have more than one text form.
      return { plain, id: toBase64Url(iv) };
    } catch {
      return undefined;
    }
  }
}

function cipher(iv: Uint8Array<ArrayBuffer>, head: Uint8Array, binding: string) {
  return { name: 'AES-GCM', iv, additionalData: joined(head, new TextEncoder().encode(binding)) };
}

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function refusal(why: string): RpcError {
  return new RpcError(ErrorCode.invalidParams, `params.requestState: ${why}`);
}
