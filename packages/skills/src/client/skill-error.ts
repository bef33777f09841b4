import type { Skill } from '../skill/skill.js';

/**
 * The reason that a skill or a file was refused:
 * - `invalid-entry`: the entry breaks a rule of the extension;
 * - `too-large`: the skill exceeds a limit of this client;
 * - `dynamic`: nothing can verify the skill, and `allowDynamic` is not set;
 * - `not-approved`: `approve` returned false;
 * - `size`, `digest`, `frontmatter`: a file is not what the entry describes;
 * - `unlisted`: the entry has no such file;
 * - `changed`: the server has another set of files now; `current` is its entry, which needs a new approval;
 * - `invalid-contents`: the server answered a read with something other than the file;
 * - `released`: the skill was released.
 */
export type SkillErrorReason =
  | 'invalid-entry'
  | 'too-large'
  | 'dynamic'
  | 'not-approved'
  | 'size'
  | 'digest'
  | 'frontmatter'
  | 'unlisted'
  | 'changed'
  | 'invalid-contents'
  | 'released';

/** A skill, or a file of it, was refused. */
export class SkillError extends Error {
  override readonly name: string = 'SkillError';
  readonly reason: SkillErrorReason;
  /** The URI of the skill or the file; the server's text. */
  readonly uri: string;
  /** The entry that the server has now, if `reason` is `changed`. */
  readonly current: Skill | undefined;

  constructor(
    reason: SkillErrorReason,
    message: string,
    options: { readonly uri: string; readonly current?: Skill; readonly cause?: unknown },
  ) {
    const { uri, current, cause } = options;
    super(`Skill ${shown(uri)}: ${message}`, cause === undefined ? undefined : { cause });
    this.reason = reason;
    this.uri = uri;
    this.current = current;
  }
}

/** Returns a text of the server for a message. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 256 ? `${text.slice(0, 256)}...` : text);
}
