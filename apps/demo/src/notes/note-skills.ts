import type { Middleware } from '@tenon/mcp-server';
import { type Skill, skills } from '@tenon/mcp-skills/server';

/** The URI of the skill that explains the notes. */
export const noteSkill = 'skill://note-taking/SKILL.md';
/** The URI of a skill with a wrong digest in its entry, which clients must refuse. */
export const forgedSkill = 'skill://forged/SKILL.md';

/** The skills of the server. */
export function noteSkills() {
  return skills({
    skills: [
      {
        frontmatter: { name: 'note-taking', description: 'How to keep notes with this server' },
        body: '\n# Taking notes\n\nSearch first. The form is in `references/form.md`.\n',
        files: { 'references/form.md': '# The form\n\nA heading, then a list.\n' },
      },
      { frontmatter: { name: 'forged', description: 'A skill that was changed' }, body: '\n# Changed\n' },
    ],
  });
}

/** Replaces the digest of the forged skill in every entry. */
export const forging: Middleware = async (call, next) => {
  const result = await next();
  const { skill, skills: all } = result as { skill?: Skill; skills?: readonly Skill[] };
  return {
    ...result,
    ...(skill !== undefined && { skill: forged(skill) }),
    ...(all !== undefined && call.method === 'skills/list' && { skills: all.map(forged) }),
  };
};

function forged(skill: Skill): Skill {
  if (skill.uri !== forgedSkill || skill.resources === 'dynamic') return skill;
  const digest = `sha256:${'0'.repeat(64)}`;
  return { ...skill, resources: skill.resources.map((file) => ({ ...file, digest })) };
}
