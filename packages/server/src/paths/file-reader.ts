import type { FileHandle } from 'node:fs/promises';
import { extname } from 'node:path';
import { optionRules, requireOptions, textIn } from '@tenon/foundation';
import { ErrorCode, RpcError } from '@tenon/mcp-protocol';
import type { Context } from '../context/context.js';
import type { ResourceHandler } from '../features/resources/resource-options.js';
import { ToolError } from '../results/tool-result.js';
import type { RootGuard } from './root-guard.js';

/** Options of reading files. */
export interface FileReaderOptions {
  /** The largest file, in bytes. Default: 4 MiB. */
  readonly maxBytes?: number;
  /** Additional MIME types by extension: `{ '.log': 'text/plain' }`. */
  readonly mimeTypes?: Readonly<Record<string, string>>;
}

const mimeTypes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '.css': 'text/css',
    '.csv': 'text/csv',
    '.gif': 'image/gif',
    '.html': 'text/html',
    '.jpeg': 'image/jpeg',
    '.jpg': 'image/jpeg',
    '.js': 'text/javascript',
    '.json': 'application/json',
    '.md': 'text/markdown',
    '.pdf': 'application/pdf',
    '.png': 'image/png',
    '.svg': 'image/svg+xml',
    '.webp': 'image/webp',
    '.xml': 'application/xml',
    '.yaml': 'application/yaml',
  }),
);

/**
 * Returns a handler for `server.resource('file:///{+path}', ...)` that reads only files inside the roots: files
 * outside are "not found", like files that do not exist. UTF-8 text is returned as text, everything else as bytes.
 * @param guard - the guard, or a function that returns one for a call, for example of the client's roots.
 * @throws RangeError if a size is not positive; TypeError if the guard is invalid, or an option is unknown.
 */
export function fileReader(
  guard: RootGuard | ((ctx: Context) => RootGuard | Promise<RootGuard>),
  options: FileReaderOptions = {},
): ResourceHandler {
  if (typeof guard !== 'function' && typeof (guard as RootGuard | undefined)?.open !== 'function') {
    const folder = typeof guard === 'string' ? JSON.stringify(guard) : '"/srv/files"';
    throw new TypeError(`fileReader takes a guard: fileReader(insideRoots([${folder}])).`);
  }
  const { object, positive } = optionRules;
  requireOptions('fileReader', options, { maxBytes: positive, mimeTypes: object });
  const { maxBytes = 4 * 1024 * 1024 } = options;
  const types = new Map([...mimeTypes, ...Object.entries(options.mimeTypes ?? {})]);
  return async ({ uri }, ctx) => {
    const handle = await openedOrMissing(typeof guard === 'function' ? await guard(ctx) : guard, uri);
    if (handle === undefined) return undefined;
    try {
      const bytes = await readUpTo(handle, maxBytes);
      const text = textIn(bytes);
      const { pathname } = new URL(uri);
      const mimeType =
        types.get(extname(pathname).toLowerCase()) ??
        (text === undefined ? 'application/octet-stream' : 'text/plain');
      return text === undefined ? { uri, mimeType, blob: bytes } : { uri, mimeType, text };
    } finally {
      await handle.close();
    }
  };
}

async function openedOrMissing(guard: RootGuard, uri: string): Promise<FileHandle | undefined> {
  try {
    // The guard accepts paths too, but a resource is a URI.
    return /^file:/i.test(uri) ? await guard.open(uri) : undefined;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

async function readUpTo(handle: FileHandle, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of handle.createReadStream({ autoClose: false })) {
    const bytes = chunk as Uint8Array;
    length += bytes.length;
    if (length > maxBytes) {
      throw new RpcError(
        ErrorCode.internalError,
        `The file is too large: at most ${maxBytes} bytes are read.`,
      );
    }
    chunks.push(bytes);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const bytes of chunks) {
    whole.set(bytes, at);
    at += bytes.length;
  }
  return whole;
}
