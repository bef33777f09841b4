import type { Client } from '@tenon/mcp-client';
import { SkillError, type SkillErrorReason, skills } from '@tenon/mcp-skills/client';
import type { Scenario } from './scenario.js';

const used = skills();
const options = { extensions: [used] };

/** Lists the skills and reads no file. */
async function list(client: Client): Promise<void> {
  const found = await used.of(client).skills.list().all();
  if (found.length === 0) throw new Error('the server lists no valid skill');
}

/** Loads each skill, and then its files; the server must have a skill with this problem. */
function refusing(reason: SkillErrorReason): Scenario {
  return {
    options,
    async run(client) {
      const refused: string[] = [];
      for await (const entry of used.of(client).skills.list()) {
        try {
          const skill = await used.of(client).skills.load(entry);
          for (const path of skill.paths ?? []) await skill.read(path);
        } catch (error) {
          if (!(error instanceof SkillError)) throw error;
          refused.push(error.reason);
        }
      }
      if (!refused.includes(reason)) throw new Error(`no skill was refused for its ${reason}`);
    },
  };
}

/** Listing without reads, and loading with verification. */
export const skillScenarios: Record<string, Scenario> = {
  'sep-2640-client-no-prefetch': { options, run: list },
  'sep-2640-client-verify-digest': refusing('digest'),
  'sep-2640-client-verify-size': refusing('size'),
  'sep-2640-client-verify-frontmatter': refusing('frontmatter'),
};
