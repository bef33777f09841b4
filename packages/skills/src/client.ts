import { optionRules, requireOptions, wholeNumber } from '@tenon/foundation';
import type { ClientExtension } from '@tenon/mcp-client';
import { defineExtension } from '@tenon/mcp-client/extension';
import { ConnectedSkills, type SkillsLimits } from './client/connected-skills.js';
import type { SkillError } from './client/skill-error.js';
import { skillLimits, skillsId } from './skill/skill.js';

export { compareSkills, type SkillBounds, type SkillChange } from './client/check-entry.js';
export type {
  ConnectedSkills,
  InspectOptions,
  LoadOptions,
  SkillsLimits,
} from './client/connected-skills.js';
export type { KeptFile, SkillFile, SkillFileCache } from './client/contents.js';
export type { InspectedSkill, RefreshedSkill, SkillCallOptions } from './client/inspected-skill.js';
export type { LoadedSkill } from './client/loaded-skill.js';
export { type NamedSkill, nameSkills, type SkillOfServer, tagContent } from './client/origin.js';
export { SkillError, type SkillErrorReason } from './client/skill-error.js';
export {
  type Skill,
  type SkillFrontmatter,
  type SkillResource,
  type SkillsSettings,
  skillLimits,
  skillsId,
} from './skill/skill.js';

/** Options of a client of skills. */
export interface SkillsClientOptions {
  readonly limits?: Partial<SkillsLimits>;
  /** True to load skills with generated content, which nothing can verify. Default: false. */
  readonly allowDynamic?: boolean;
  /** Receives the problem of each entry that a list leaves out. Default: nothing. */
  readonly onInvalid?: (error: SkillError) => void;
}

/** The default limits of a client of skills. */
export const defaultSkillsLimits: SkillsLimits = Object.freeze({
  ...skillLimits,
  skills: 10_000,
  pages: 100,
  listBytes: 67_108_864,
});

/** The members that the extension adds to a client. */
export interface SkillsMembers {
  /** The skills of the server. */
  readonly skills: ConnectedSkills;
}

/**
 * Uses the skills of servers: `const client = await connect(target, { extensions: [skills()] }); client.skills.list()`. One value
 * serves many clients.
 * @throws TypeError or RangeError if an option is invalid.
 * @see https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx
 */
export function skills(options: SkillsClientOptions = {}): ClientExtension<typeof skillsId, SkillsMembers> {
  const { callable, flag, object } = optionRules;
  requireOptions<SkillsClientOptions>('skills', options, {
    limits: object,
    allowDynamic: flag,
    onInvalid: callable,
  });
  const { limits = {}, allowDynamic = false, onInvalid = () => {} } = options;
  requireOptions<Partial<SkillsLimits>>('skills: limits', limits, {
    files: wholeNumber(skillLimits.files),
    bytes: wholeNumber(skillLimits.bytes),
    skills: wholeNumber(1),
    pages: wholeNumber(1),
    listBytes: wholeNumber(1),
  });
  const settings = { limits: { ...defaultSkillsLimits, ...limits }, allowDynamic, onInvalid };
  return defineExtension<typeof skillsId, SkillsMembers>({
    id: skillsId,
    members: (client) => ({ skills: new ConnectedSkills(client, settings) }),
  });
}
