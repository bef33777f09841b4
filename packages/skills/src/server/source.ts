import type { Clock } from '@tenon/foundation';
import type { Context } from '@tenon/mcp-server';
import type { SkillFrontmatter } from '../skill/skill.js';

/** A file as the server serves it. */
export interface ServedFile {
  readonly uri: string;
  readonly mimeType: string;
  /** Bytes; undefined if the content is generated. */
  readonly size: number | undefined;
  /** Returns the digest; the same one until the file is replaced by another object. */
  digest(): string | Promise<string>;
  /** Returns the content; undefined if there is no such file any more. */
  read(ctx: Context): Content | Promise<Content>;
}

type Content = string | Uint8Array | undefined;

/** A skill as the server serves it. */
export interface ServedSkill {
  /** The URI of its `SKILL.md`. */
  readonly uri: string;
  readonly frontmatter: SkillFrontmatter;
  /** Its files, `SKILL.md` included; not those of skills that are nested in it. */
  readonly files: readonly ServedFile[];
  /** True if content is generated, so that digests cannot be published. */
  readonly isDynamic: boolean;
}

/** The parts of the server that a source of skills uses. */
export interface SourceHost {
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  /** The source calls it after its skills have changed. */
  readonly changed: () => void;
}

/** A source of skills, such as `directory(path)` of `@tenon/mcp-skills/directory`. */
export interface SkillSource {
  /** The skills of this moment. */
  readonly skills: readonly ServedSkill[];
  /** Called once, with the first connection or request. */
  start?(host: SourceHost): void;
  /** Called once, when the server has closed. */
  stop?(): void;
}
