import type { JsonObject, Tool } from '@tenon/mcp-protocol';

const encoder = new TextEncoder();

/** Returns the SHA-256 of a JSON value, in hexadecimal digits. The order of members does not matter. */
export async function digestOf(value: unknown): Promise<string> {
  const hash = await globalThis.crypto.subtle.digest(
    'SHA-256',
    encoder.encode(JSON.stringify(value, sorted)),
  );
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Orders the members of objects, as a replacer of `JSON.stringify`. */
export function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries);
}

/**
 * Returns the part of a tool that decides what it does and what a model reads of it. The name is left out, so that a tool that was renamed is
 * recognized; icons and metadata are not read by models.
 */
export function definitionOf({ name: _, icons: __, _meta: ___, ...definition }: Tool): JsonObject {
  return definition as unknown as JsonObject;
}
