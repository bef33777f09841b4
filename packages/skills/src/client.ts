import { constantsOf, optionRules, requireOptions } from '@tenon/foundation';
import type { ClientExtension } from '@tenon/mcp-client';
import { defineExtension } from '@tenon/mcp-client/extension';
import { ConnectedSkills, listBounds } from './client/connected-skills.js';
import type { SkillError } from './client/skill-error.js';
import { skillsId } from './skill/skill.js';

export { compareSkills, type SkillChange } from './client/check-entry.js';
export type {
  ConnectedSkills,
  InspectOptions,
  LoadOptions,
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
  /** True to load skills with generated content, which nothing can verify. Default: false. */
  readonly allowDynamic?: boolean;
  /** Receives the problem of each entry that a list leaves out. Default: nothing. */
  readonly onInvalid?: (error: SkillError) => void;
}

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
  const { callable, flag } = optionRules;
  requireOptions<SkillsClientOptions>('skills', options, {
    allowDynamic: flag,
    onInvalid: callable,
  });
  const { allowDynamic = false, onInvalid = () => {} } = options;
  const settings = { bounds: constantsOf(listBounds, options), allowDynamic, onInvalid };
  return defineExtension<typeof skillsId, SkillsMembers>({
    id: skillsId,
    members: (client) => ({ skills: new ConnectedSkills(client, settings) }),
  });
}
