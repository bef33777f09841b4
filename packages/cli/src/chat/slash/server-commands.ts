import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { HostTool } from '@tenon/mcp-host';
import { WorkbenchError } from '@tenon/mcp-workbench';
import { shortLine, shownText } from '../screen/shown-text.js';
import { stateTexts } from '../turn/conversation.js';
import type { ChatParts, SlashCommand } from './slash-command.js';

export const servers: SlashCommand = {
  name: '/servers',
  words: '[restart NAME]',
  about: 'the servers, and how they stand',
  async run([action, name], { host, screen, places }, signal) {
    if (action === 'restart' && name !== undefined) {
      await host.servers.restart(name);
      await host.tools({ signal });
      // A failure is shown when it happens.
      if (host.servers.get(name).status === 'failed') return undefined;
    } else if (action !== undefined)
      throw new WorkbenchError('usage', 'Write /servers or /servers restart NAME');
    screen.note(stateTexts(host.servers.list(), screen, places).join('\n'));
    return undefined;
  },
};

export const tools: SlashCommand = {
  name: '/tools',
  words: '[WORD]',
  about: 'the tools that the model has, and whether a call asks you',
  async run([word = ''], parts, signal) {
    const { host, screen } = parts;
    const { paintError } = screen.terminal;
    const all = await host.tools({ signal });
    const found = all.filter((tool) => `${tool.server} ${tool.name} ${tool.tool.name}`.includes(word));
    if (found.length === 0)
      screen.note(all.length === 0 ? 'The model has no tools.' : 'No tool has this word.');
    const columns = Math.min(screen.terminal.errorColumns, 120);
    let server: string | undefined;
    const lines: string[] = [];
    for (const tool of found) {
      if (tool.server !== server) lines.push(paintError(['bold', 'cyan'], tool.server));
      server = tool.server;
      const standing = await standingOf(tool, parts);
      const room = columns - 4;
      lines.push(`  ${paintError('bold', shownText(tool.tool.name))}  ${paintError('dim', standing)}`);
      const { description = '' } = tool.tool;
      if (description !== '') lines.push(`    ${shortLine(description, room)}`);
    }
    if (lines.length > 0) screen.note(lines.join('\n'));
    return undefined;
  },
};

/** Returns whether a call of a tool asks the user, and why not. */
async function standingOf(tool: HostTool, { rules, host }: ChatParts): Promise<string> {
  if (tool.needsSignIn) return 'needs a sign-in';
  const answer = await host.answerFor(tool);
  if (answer === 'never') return 'refused: you answered never';
  const rule = rules.ruleFor(tool.server, tool.tool.name);
  if (rule !== undefined) return `does not ask: the rule ${rule}`;
  if (answer === 'always') return 'does not ask: you answered always';
  return answer === 'run' ? 'does not ask in this conversation' : 'asks';
}

export const signIn: SlashCommand = {
  name: '/sign-in',
  words: 'NAME',
  about: 'sign in at a server',
  async run([name], { host, screen }, signal) {
    if (name === undefined) throw new WorkbenchError('usage', 'Write the name of a server: /sign-in NAME');
    if (!screen.terminal.isInteractive)
      throw new WorkbenchError('usage', `Sign in before the conversation: tenon login ${name}`);
    await host.servers.signIn(name, { signal });
    screen.note(stateTexts([host.servers.get(name)], screen).join(''));
    return undefined;
  },
};

/** Roots of a conversation, at most. */
const mostRoots = 100;

export const roots: SlashCommand = {
  name: '/roots',
  words: '[add FOLDER | remove FOLDER]',
  about: 'the folders that servers may ask for',
  async run([action, ...words], parts) {
    const { roots: list, screen } = parts;
    const folder = resolve(screen.terminal.source.cwd, words.join(' '));
    const uri = pathToFileURL(folder).href;
    const at = list.findIndex((root) => root.uri === uri);
    if (action === 'add') {
      const isFolder = await stat(folder).then(
        (found) => found.isDirectory(),
        () => false,
      );
      if (words.length === 0 || !isFolder)
        throw new WorkbenchError(
          'usage',
          `${words.join(' ') || 'Nothing'} is not a folder that can be read. Write /roots add FOLDER`,
        );
      if (list.length >= mostRoots)
        throw new WorkbenchError('usage', `There are ${mostRoots} folders already.`);
      if (at === -1) list.push({ uri, name: folder.split(/[\\/]/).at(-1) || folder });
    } else if (action === 'remove') {
      if (at === -1) throw new WorkbenchError('usage', `${folder} is not in the list.`);
      list.splice(at, 1);
    } else if (action !== undefined)
      throw new WorkbenchError('usage', 'Write /roots, /roots add FOLDER or /roots remove FOLDER');
    if (list.length === 0) screen.note('No folders. Add one with /roots add FOLDER');
    else screen.note(list.map((root) => `  ${fileURLToPath(root.uri)}`).join('\n'));
    return undefined;
  },
};

export const skills: SlashCommand = {
  name: '/skills',
  words: '[SKILL]',
  about: 'the skills of the servers, or give the model one',
  async run([address], { conversation, screen, skills: list }, signal) {
    const { paintError } = screen.terminal;
    if (address !== undefined) {
      const skill = await list.load(address, { signal });
      conversation.addSkill(skill);
      screen.note(`The model reads ${shortLine(address, 100)} with your next message. /clear takes it back.`);
      return undefined;
    }
    const found = await list.list({ signal });
    if (found.length === 0) screen.note('The servers list no skills.');
    for (const { label, description, isAmbiguous } of found) {
      const warning = isAmbiguous ? paintError('red', '  another server has a skill of this name') : '';
      screen.note(
        `  ${paintError('bold', shownText(label))}${warning}\n    ${shortLine(description, screen.width - 4)}`,
      );
    }
    return undefined;
  },
};
