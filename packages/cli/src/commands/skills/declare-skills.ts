import type { Declare } from '../../context.js';
import { withServerOptions } from '../../server/server-options.js';
import type { SkillsOptions } from './run-skills.js';

/** `tenon skills`: lists, prints and verifies skills. */
export const declareSkills: Declare = (program, context) => {
  withServerOptions(
    program
      .command('skills')
      .argument('[words...]', 'the server, and the URI of a skill')
      .usage('[SERVER] [URI] [options] [-- COMMAND ARGS...]')
      .description('list, print and verify skills')
      .option('--verify', 'read every file, and compare it with its digest and size'),
  )
    .addHelpText(
      'after',
      `
Without URI, lists the skills. With URI, prints the SKILL.md of the skill, verified.
Exits with 6 if --verify finds a problem.

Examples:
  tenon skills https://example.com/mcp --verify
  tenon skills skill://refunds/SKILL.md -- node server.js`,
    )
    .action(async (words: readonly string[], options: SkillsOptions) => {
      const { runSkills } = await import('./run-skills.js');
      await runSkills({ ...context, words, options });
    });
};
