import { SkillError } from '@tenon/mcp-skills/client';
import { forgedSkill, noteSkill } from '../../notes/note-skills.js';
import type { expectations } from '../expectations.js';
import type { Steps } from '../stage/stage.js';

/** Skills: listing them, and loading with verification. */
export const skillSteps: Steps<typeof expectations.skills> = {
  'skills/list': async ({ skills }) => `${(await skills.list().all()).length} listed`,
  'skill loaded': async ({ skills }) => {
    const skill = await skills.load(noteSkill);
    const { text } = await skill.read('references/form.md');
    skill.release();
    return text?.startsWith('# The form') ? `${skill.paths?.length} files` : `${text}`;
  },
  'wrong digest': async ({ skills }) => {
    try {
      await skills.load(forgedSkill);
      return 'loaded';
    } catch (error) {
      if (!(error instanceof SkillError)) throw error;
      return error.reason === 'digest' ? 'refused' : error.message;
    }
  },
};
