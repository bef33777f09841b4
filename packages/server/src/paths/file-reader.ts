import type { FileHandle } from 'node:fs/promises';
import { extname } from 'node:path';
import { ErrorCode, RpcError } from '@tenon/mcp-protocol';
import { optionRules, requireOptions } from '@tenon/mcp-session/internal';
import { toBase64 } from '../base64.js';
import type { Context } from '../context.js';
import type { ResourceHandler } from '../features/resource-options.js';
import { ToolError } from '../tool-error.js';
import type { RootGuard } from './root-guard.js';

/** How files are read. */
export interface FileReaderOptions {
  /** Bytes of the largest file that is read. Default 4 MiB. */
  readonly maxBytes?: number;
  /** MIME types by extension, beside the usual ones: `{ '.log': 'text/plain' }`. */
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
 * A handler for `server.resource('file:///{+path}', ...)` that reads files inside the roots and no others: what is
 * outside is "not found", as is what does not exist. Text that is UTF-8 is told as text, everything else as bytes.
 * @param guard - the guard, or a function that makes one for a call, of the client's roots for example.
 * @throws RangeError for a size that is not a positive number; TypeError for what is no guard, and options that do not exist.
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
      const text = textOf(bytes);
      const { pathname } = new URL(uri);
      const mimeType =
        types.get(extname(pathname).toLowerCase()) ??
        (text === undefined ? 'application/octet-stream' : 'text/plain');
      return text === undefined ? { uri, mimeType, blob: toBase64(bytes) } : { uri, mimeType, text };
    } finally {
      await handle.close();
    }
  };
}

async function openedOrMissing(guard: RootGuard, uri: string): Promise<FileHandle | undefined> {
  try {
    // A path would be looked up as well; a resource is a URI.
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

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
