import { utf8Text } from '@tenon/foundation';
import type { ReadResourceResult } from '@tenon/mcp-protocol';
import { digestOf, type SkillResource } from '../skill/skill.js';
import { SkillError } from './skill-error.js';

const encoder = new TextEncoder();

/** A file of a skill, after its size and digest were verified. */
export interface SkillFile {
  readonly uri: string;
  /** The server's text; nothing verifies it. */
  readonly mimeType: string | undefined;
  readonly bytes: Uint8Array;
  /** The bytes as text; undefined if they are not UTF-8. */
  readonly text: string | undefined;
}

/**
 * Returns the file in the result of a read.
 * @param listed - the digest and size that it must have; undefined for a file of a dynamic skill.
 * @throws SkillError `invalid-contents`, `size` or `digest`.
 */
export async function verifiedFile(
  uri: string,
  { contents }: ReadResourceResult,
  listed: SkillResource | undefined,
): Promise<SkillFile> {
  const [only, ...more] = contents;
  if (only === undefined || more.length > 0 || only.uri !== uri)
    throw new SkillError('invalid-contents', 'the server did not answer with this file alone.', { uri });
  const bytes = 'text' in only ? encoder.encode(only.text) : decoded(uri, only.blob);
  if (listed !== undefined) await requireListed(bytes, listed);
  return { uri, mimeType: only.mimeType, bytes, text: utf8Text(bytes) };
}

/** Keeps files of the skills of one server. Whatever it returns is verified again, each time. */
export interface SkillFileCache {
  /** Returns what was kept of a file; undefined if there is nothing. */
  read(file: SkillResource): Promise<KeptFile | undefined>;
  /** Keeps a file that was verified, in place of an earlier one of the same URI. */
  write(file: SkillResource, content: KeptFile): Promise<void>;
}

/** The content of a file in a cache. */
export type KeptFile = Pick<SkillFile, 'bytes' | 'mimeType'>;

interface Caching {
  readonly cache: SkillFileCache;
  readonly listed: SkillResource;
  /** Receives the errors of the cache. */
  readonly report: (error: unknown) => void;
}

/** Returns a file from a cache if its size and digest are still those of the entry, and reads and keeps it otherwise. */
export async function cachedFile(
  { cache, listed, report }: Caching,
  read: () => Promise<SkillFile>,
): Promise<SkillFile> {
  try {
    const kept = await cache.read(listed);
    if (kept !== undefined) {
      await requireListed(kept.bytes, listed);
      return { uri: listed.uri, ...kept, text: utf8Text(kept.bytes) };
    }
  } catch (error) {
    // An entry that changed since has another digest: that is no damage.
    if (!(error instanceof SkillError)) report(error);
  }
  const file = await read();
  await cache.write(listed, { bytes: file.bytes, mimeType: file.mimeType }).catch(report);
  return file;
}

async function requireListed(bytes: Uint8Array, { uri, size, digest }: SkillResource): Promise<void> {
  if (bytes.length !== size)
    throw new SkillError('size', `it has ${bytes.length} bytes, and its entry says ${size}.`, { uri });
  if ((await digestOf(bytes)) !== digest)
    throw new SkillError('digest', 'its content does not have the digest of its entry.', { uri });
}

function decoded(uri: string, blob: string): Uint8Array {
  try {
    return Uint8Array.from(atob(blob), (one) => one.charCodeAt(0));
  } catch (cause) {
    const unreadable = new SkillError('invalid-contents', 'its content is not base64.', { uri, cause });
    throw unreadable;
  }
}
