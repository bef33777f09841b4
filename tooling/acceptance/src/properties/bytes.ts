import type { Connection } from '@tenon/mcp-protocol';
import fc from 'fast-check';

/** Splits a body as a network might, into pieces that may be empty. */
export function pieces(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [...cuts.map((cut) => cut % (bytes.length + 1)), 0, bytes.length].sort((a, b) => a - b);
  return places.slice(1).map((end, index) => bytes.slice(places[index], end));
}

/** Positions of cuts: random, or after each byte. */
export const anyCuts: fc.Arbitrary<readonly number[]> = fc.oneof(
  { weight: 5, arbitrary: fc.array(fc.nat({ max: 5_000 }), { maxLength: 40 }) },
  { weight: 1, arbitrary: fc.constant(Array.from({ length: 3_000 }, (_, index) => index)) },
);

/** Texts with characters of one to four bytes, some of which readers confuse with others. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('\u2028', '\ufeff', '\ufffd', '\r\n', 'data: ', '👩‍👩‍👧‍👦', '\ud800', ':', ''),
);

/** Messages that are valid JSON, but may be invalid JSON-RPC. */
export const anyMessage: fc.Arbitrary<unknown> = fc.oneof(
  fc.record({
    jsonrpc: fc.constant('2.0'),
    id: fc.integer(),
    method: anyText,
    params: fc.dictionary(anyText, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
  }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Records the messages a connection delivers, from start to end. */
export function deliveries(connection: Connection): {
  readonly heard: unknown[];
  readonly over: Promise<void>;
} {
  const heard: unknown[] = [];
  const over = new Promise<void>((resolve) => {
    connection.start({
      receive(value) {
        heard.push({ value });
        return undefined;
      },
      malformed(reason) {
        heard.push({ reason });
        return undefined;
      },
      closed(reason) {
        heard.push({ closed: reason?.message });
        resolve();
      },
    });
  });
  return { heard, over };
}

/** Returns the bytes of a text. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Concatenates byte arrays. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
