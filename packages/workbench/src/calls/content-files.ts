import type { ContentBlock } from '@tenon/mcp-client';

/** The bytes in a result, such as an image. */
export interface ContentFile {
  readonly kind: 'image' | 'audio' | 'resource';
  readonly mimeType: string;
  readonly bytes: Uint8Array;
  /** The URI of an embedded resource. */
  readonly uri?: string;
}

/** Returns the bytes of an image, an audio clip or an embedded resource with a blob; undefined for other content. */
export function fileOf(block: ContentBlock): ContentFile | undefined {
  if (block.type === 'image' || block.type === 'audio')
    return { kind: block.type, mimeType: block.mimeType, bytes: Buffer.from(block.data, 'base64') };
  if (block.type !== 'resource' || !('blob' in block.resource)) return undefined;
  const { blob, mimeType = 'application/octet-stream', uri } = block.resource;
  return { kind: 'resource', mimeType, bytes: Buffer.from(blob, 'base64'), uri };
}

const extensions: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', 'jpg'],
  ['image/svg+xml', 'svg'],
  ['image/x-icon', 'ico'],
  ['audio/mpeg', 'mp3'],
  ['audio/x-wav', 'wav'],
  ['audio/wave', 'wav'],
  ['audio/mp4', 'm4a'],
  ['text/plain', 'txt'],
  ['text/markdown', 'md'],
  ['text/javascript', 'js'],
  ['application/octet-stream', 'bin'],
  ['application/gzip', 'gz'],
]);

/** Returns the extension of files of a media type, such as `png`; `bin` for types that do not name one. */
export function extensionOf(mimeType: string): string {
  const type = (mimeType.split(';')[0] ?? '').trim().toLowerCase();
  const known = extensions.get(type);
  if (known !== undefined) return known;
  const name = type.split('/')[1] ?? '';
  return /^[a-z0-9]{2,5}$/.test(name) ? name : 'bin';
}

/** Returns a number of bytes for people, such as `12.3 kB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${size.toFixed(1)} ${unit}`;
}

/** A way to show images in a terminal. */
type ImageProtocol = 'kitty' | 'iterm2';

/** Returns the way in which the terminal shows images, by its variables; undefined if it does not, or inside a multiplexer. */
export function imageProtocol(env: Readonly<Record<string, string | undefined>>): ImageProtocol | undefined {
  const { TERM = '', TERM_PROGRAM = '', KITTY_WINDOW_ID, TMUX, STY } = env;
  if (TMUX !== undefined || STY !== undefined || /^(?:screen|tmux|dumb)/.test(TERM)) return undefined;
  if (KITTY_WINDOW_ID !== undefined || TERM === 'xterm-kitty' || TERM_PROGRAM === 'ghostty') return 'kitty';
  return TERM_PROGRAM === 'iTerm.app' || TERM_PROGRAM === 'WezTerm' ? 'iterm2' : undefined;
}

const mostInlineBytes = 8_000_000;
const chunkLength = 4_096;

/** Returns the escape sequences that show an image; undefined if the terminal cannot show it. */
export function inlineImage({ kind, bytes }: ContentFile, protocol: ImageProtocol): string | undefined {
  if (kind !== 'image' || bytes.length === 0 || bytes.length > mostInlineBytes) return undefined;
  // Encoded again, so that nothing of the server's text reaches the terminal.
  const data = Buffer.from(bytes).toString('base64');
  if (protocol === 'iterm2') return `\u001b]1337;File=inline=1;size=${bytes.length}:${data}\u0007`;
  if (!isPng(bytes)) return undefined;
  const chunks = data.match(new RegExp(`.{1,${chunkLength}}`, 'g')) ?? [];
  const parts = chunks.map((chunk, index) => {
    const more = index < chunks.length - 1 ? 1 : 0;
    return `\u001b_G${index === 0 ? 'a=T,f=100,' : ''}m=${more};${chunk}\u001b\\`;
  });
  return parts.join('');
}

function isPng(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 8)).equals(
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  );
}
