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
  if (listed !== undefined) {
    if (bytes.length !== listed.size)
      throw new SkillError('size', `it has ${bytes.length} bytes, and its entry says ${listed.size}.`, {
        uri,
      });
    if ((await digestOf(bytes)) !== listed.digest)
      throw new SkillError('digest', 'its content does not have the digest of its entry.', { uri });
  }
  return { uri, mimeType: only.mimeType, bytes, text: utf8Text(bytes) };
}

function decoded(uri: string, blob: string): Uint8Array {
  try {
    return Uint8Array.from(atob(blob), (one) => one.charCodeAt(0));
  } catch (cause) {
    const unreadable = new SkillError('invalid-contents', 'its content is not base64.', { uri, cause });
    throw unreadable;
  }
}
