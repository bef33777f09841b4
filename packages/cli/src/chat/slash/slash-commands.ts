import { didYouMean } from '@tenon/foundation';
import { WorkbenchError } from '@tenon/mcp-workbench';
import { roots, servers, signIn, skills, tools } from './server-commands.js';
import { allow, audit, clear, quit, save } from './session-commands.js';
import type { ChatParts, SlashCommand } from './slash-command.js';

const help: SlashCommand = {
  name: '/help',
  about: 'this list',
  async run(_, { screen }) {
    const { paintError } = screen.terminal;
    const width = Math.max(...slashCommands.map(({ name }) => name.length));
    const lines = slashCommands.map(({ name, about, words }) => {
      const more = words === undefined ? '' : `\n  ${' '.repeat(width)}  ${paintError('dim', words)}`;
      return `  ${paintError('bold', name.padEnd(width))}  ${about}${more}`;
    });
    screen.note(lines.join('\n'));
    return undefined;
  },
};

/** The commands of a conversation, in the order of the help. */
export const slashCommands: readonly SlashCommand[] = [
  help,
  servers,
  tools,
  allow,
  roots,
  skills,
  audit,
  signIn,
  save,
  clear,
  quit,
];

/** Runs a line that begins with a slash. @throws WorkbenchError `usage` if there is no such command; the errors of the command. */
export async function runSlashCommand(
  line: string,
  parts: ChatParts,
  signal: AbortSignal,
): Promise<'quit' | undefined> {
  const [name = '', ...words] = line.trim().split(/\s+/);
  const command = slashCommands.find((one) => one.name === name);
  if (command !== undefined) return command.run(words, parts, signal);
  const meant = didYouMean(
    name,
    slashCommands.map((one) => one.name),
  );
  throw new WorkbenchError(
    'usage',
    `There is no command ${name}.${meant === undefined ? '' : ` ${meant}`} /help lists all.`,
  );
}
