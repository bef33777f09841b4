export { compareSkills, type SkillBounds, type SkillChange } from './client/check-entry.js';
export type { ConnectedSkills, LoadOptions, SkillsLimits } from './client/connected-skills.js';
export type { SkillFile } from './client/contents.js';
export type { LoadedSkill, RefreshedSkill, SkillCallOptions } from './client/loaded-skill.js';
export {
  type ApprovalRequest,
  type ApprovalStore,
  type CrossServerRead,
  fingerprintOf,
  type NamedSkill,
  nameSkills,
  type SkillOfServer,
  SkillPolicy,
  type SkillPolicyOptions,
  tagContent,
} from './client/policy.js';
export { SkillError, type SkillErrorReason } from './client/skill-error.js';
export {
  defaultSkillsLimits,
  type SkillsClientOptions,
  type SkillsMembers,
  skills,
} from './client/skills-extension.js';
export {
  type Skill,
  type SkillFrontmatter,
  type SkillResource,
  type SkillsSettings,
  skillLimits,
  skillsId,
} from './skill/skill.js';
