export type { CodeSkill, GeneratedContent } from './server/code-skill.js';
export { defaultPageBounds, type SkillsOptions, skills } from './server/skills-extension.js';
export type { ServedFile, ServedSkill, SkillSource, SourceHost } from './server/source.js';
export {
  type Skill,
  type SkillFrontmatter,
  type SkillResource,
  type SkillsSettings,
  skillLimits,
  skillsId,
} from './skill/skill.js';
