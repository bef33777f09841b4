import { createHash } from 'node:crypto';

/** A Lua script, and the digest under which a server knows it. */
export interface Script {
  readonly text: string;
  readonly digest: string;
}

/** Returns a script without its indentation. */
export function script(text: string): Script {
  const trimmed = text.replace(/^\s+/gm, '').trim();
  return { text: trimmed, digest: createHash('sha1').update(trimmed).digest('hex') };
}

/** Returns true for the error of a server that has not received the text of a script, or has forgotten it. */
export function isScriptMissing(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}
