import { toBase64 } from '@tenon/foundation';
import { isObject } from '../json-rpc/json.js';

/** Bytes as programs have them. A Blob, such as a File, is read when it is sent. */
export type Bytes = Uint8Array | ArrayBuffer | Blob;

/** Base64, or bytes that are encoded when they are sent: for authors, where the protocol has base64. */
export type Base64Input = string | Bytes;

/** True for bytes that {@link withBase64} encodes. */
export function isBytes(value: unknown): value is Bytes {
  return value instanceof Uint8Array || value instanceof ArrayBuffer || value instanceof Blob;
}

/**
 * A copy of content, contents of resources, messages, or a result that holds some, with base64 in place of bytes. A promise only
 * if a Blob must be read.
 */
export function withBase64<Value>(value: Value): Value | Promise<Value> {
  const reading: Promise<void>[] = [];
  const encoded = encodedCopy(value, reading);
  return reading.length === 0 ? encoded : Promise.all(reading).then(() => encoded);
}

/** Members that hold bytes, and members below which there may be some. */
const members = ['data', 'blob', 'resource', 'content', 'contents', 'messages'];

function encodedCopy<Value>(value: Value, reading: Promise<void>[]): Value {
  if (Array.isArray(value)) return value.map((item) => encodedCopy(item, reading)) as Value;
  if (!isObject(value)) return value;
  const copy: { [name: string]: unknown } = { ...value };
  for (const name of members) {
    const member = copy[name];
    if (member === undefined) continue;
    const encode = (bytes: Uint8Array | ArrayBuffer): void => {
      copy[name] = toBase64(bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes);
    };
    if (!isBytes(member)) copy[name] = encodedCopy(member, reading);
    else if (member instanceof Blob) reading.push(member.arrayBuffer().then(encode));
    else encode(member);
  }
  return copy as Value;
}
