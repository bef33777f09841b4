import { Argument } from 'commander';
import type { Declare } from '../../context.js';

/** `tenon completion`: prints a script for a shell. */
export const declareCompletion: Declare = (program, { terminal }) => {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .description('print a completion script for a shell')
    .addHelpText(
      'after',
      `
The script completes commands, options, and the names that "tenon servers" lists.

Examples:
  tenon completion bash >> ~/.bashrc
  tenon completion zsh > "\${fpath[1]}/_tenon"
  tenon completion fish > ~/.config/fish/completions/tenon.fish`,
    )
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const { completionScript } = await import('./completion-script.js');
      terminal.print(completionScript(shell, program));
    });
};
