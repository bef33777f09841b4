/** Allowed image types of icons. */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/svg+xml';

/** The type and size of an image, by its bytes. */
export interface ImageFacts {
  readonly type: ImageType;
  /** Pixels; 0 for images without a size, such as SVG. */
  readonly width: number;
  readonly height: number;
}

/** Returns the type of an image by its bytes; undefined unless it is a still image of a known type. */
export function imageFacts(bytes: Uint8Array): ImageFacts | undefined {
  if (startsWith(bytes, 0, '\x89PNG\r\n') && bytes[6] === 0x1a && bytes[7] === 0x0a) return png(bytes);
  if (startsWith(bytes, 0, '\xff\xd8\xff')) return jpeg(bytes);
  if (startsWith(bytes, 0, 'RIFF') && startsWith(bytes, 8, 'WEBP')) return webp(bytes);
  return isSvg(bytes) ? { type: 'image/svg+xml', width: 0, height: 0 } : undefined;
}

function startsWith(bytes: Uint8Array, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function png(bytes: Uint8Array): ImageFacts | undefined {
  if (bytes.length < 33 || !startsWith(bytes, 12, 'IHDR')) return undefined;
  const view = viewOf(bytes);
  // The announcement of frames is before the first frame.
  for (let at = 8; at + 12 <= bytes.length && !startsWith(bytes, at + 4, 'IDAT'); ) {
    if (startsWith(bytes, at + 4, 'acTL')) return undefined;
    at += 12 + view.getUint32(at);
  }
  return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
}

/** Finds the segment that starts a frame: it has the size. */
function jpeg(bytes: Uint8Array): ImageFacts | undefined {
  const view = viewOf(bytes);
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] as number;
    if (marker === 0xff) {
      at++;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { type: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

function webp(bytes: Uint8Array): ImageFacts | undefined {
  if (bytes.length < 30) return undefined;
  const view = viewOf(bytes);
  const type = 'image/webp';
  if (startsWith(bytes, 12, 'VP8 ')) {
    return { type, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
  if (startsWith(bytes, 12, 'VP8L')) {
    const sizes = view.getUint32(21, true);
    return { type, width: (sizes & 0x3fff) + 1, height: ((sizes >>> 14) & 0x3fff) + 1 };
  }
  const isAnimated = ((bytes[20] as number) & 0x02) !== 0;
  if (!startsWith(bytes, 12, 'VP8X') || isAnimated) return undefined;
  const [width, height] = [24, 27].map((at) => (view.getUint32(at - 1, true) >>> 8) + 1) as [number, number];
  return { type, width, height };
}

/** True for a text with `svg` as its first element. */
function isSvg(bytes: Uint8Array): boolean {
  let text = new TextDecoder().decode(bytes.subarray(0, 4_096)).trimStart();
  for (;;) {
    const end = prologues.find(([start]) => text.startsWith(start))?.[1];
    if (end === undefined) return /^<svg[\s/>]/.test(text);
    const at = text.indexOf(end);
    if (at < 0) return false;
    text = text.slice(at + end.length).trimStart();
  }
}

const prologues: readonly (readonly [start: string, end: string])[] = [
  ['<?', '?>'],
  ['<!--', '-->'],
  ['<!DOCTYPE svg', '>'],
];
