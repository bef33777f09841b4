/** Bytes of texts, each character one, and of numbers. */
export function bytesOf(...parts: readonly (string | readonly number[])[]): Uint8Array<ArrayBuffer> {
  const all = parts.flatMap((part) =>
    typeof part === 'string' ? [...part].map((one) => one.charCodeAt(0)) : part,
  );
  return Uint8Array.from(all);
}

const quad = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
const triple = (value: number) => [value & 255, (value >>> 8) & 255, value >>> 16];
const pair = (value: number) => [value >>> 8, value & 255];

/** The beginning of a PNG of this size; `chunks` stand before its pixels. */
export function pngOf(
  width: number,
  height: number,
  chunks: readonly string[] = [],
): Uint8Array<ArrayBuffer> {
  const head = bytesOf(
    '\x89PNG\r\n\x1a\n',
    quad(13),
    'IHDR',
    quad(width),
    quad(height),
    [8, 6, 0, 0, 0],
    quad(0),
  );
  const more = chunks.map((name) => bytesOf(quad(8), name, quad(2), quad(0), quad(0)));
  return bytesOf(
    [...head],
    ...more.map((one) => [...one]),
    quad(0),
    'IDAT',
    quad(0),
    quad(0),
    'IEND',
    quad(0),
  );
}

/** The beginning of a JPEG of this size. */
export function jpegOf(width: number, height: number): Uint8Array<ArrayBuffer> {
  return bytesOf(
    [0xff, 0xd8, 0xff, 0xe0],
    pair(4),
    [1, 1, 0xff, 0xc4],
    pair(4),
    [0, 0, 0xff, 0xff, 0xc2],
    pair(11),
    [8],
    pair(height),
    pair(width),
    [1, 0, 0, 0],
  );
}

/** The beginning of a WebP of the extended kind. */
export function webpOf(width: number, height: number, flags = 0): Uint8Array<ArrayBuffer> {
  return bytesOf(
    'RIFF',
    quad(0),
    'WEBPVP8X',
    quad(0),
    [flags, 0, 0, 0],
    triple(width - 1),
    triple(height - 1),
    quad(0),
  );
}

/** An SVG as bytes. */
export function svgOf(before = ''): Uint8Array<ArrayBuffer> {
  return bytesOf(`${before}<svg xmlns="http://www.w3.org/2000/svg"/>`);
}

/** A `data:` URI. */
export function dataOf(type: string, bytes: Uint8Array): string {
  return `data:${type};base64,${btoa(String.fromCharCode(...bytes))}`;
}
