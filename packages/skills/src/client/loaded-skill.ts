import type { Skill } from '../skill/skill.js';
import type { SkillFile } from './contents.js';
import { InspectedSkill, type SkillReader } from './inspected-skill.js';

/** A `SKILL.md` that was verified. */
interface VerifiedSkill {
  readonly entry: Skill;
  readonly main: SkillFile;
  readonly text: string;
  /** The Markdown after the frontmatter. */
  readonly body: string;
}

/** A skill from its loading until `release()`: a host is acting on it. */
export class LoadedSkill extends InspectedSkill {
  /** The whole text of `SKILL.md`. */
  readonly text: string;
  /** The Markdown after the frontmatter. */
  readonly body: string;

  /** @internal */
  constructor(reader: SkillReader, { entry, main, text, body }: VerifiedSkill) {
    super(reader, entry, main);
    this.text = text;
    this.body = body;
  }
}
