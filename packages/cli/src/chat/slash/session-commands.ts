import { resolve } from 'node:path';
import { HostError } from '@tenon/mcp-host';
import { WorkbenchError } from '@tenon/mcp-workbench';
import { extensionOf, sizeText } from '@tenon/mcp-workbench/calls';
import { writeNewFile } from '../../files/files.js';
import { shortLine } from '../screen/shown-text.js';
import type { SlashCommand } from './slash-command.js';

export const allow: SlashCommand = {
  name: '/allow',
  words: '[RULE | remove RULE | forget SERVER]',
  about: 'what goes on without a question, such as shop or shop.search_*',
  async run([action, name], { host, rules, screen }) {
    if (action === 'forget' && name !== undefined) {
      await host.forgetAnswers(name);
      screen.note(`Your answers for ${name} are forgotten.`);
      return undefined;
    }
    if (action === 'remove' && name !== undefined) {
      if (!rules.remove(name)) throw new WorkbenchError('usage', `There is no rule ${name}.`);
    } else if (action !== undefined) {
      rules.add(action);
      for (const { name: server, error } of host.servers.list())
        if (isDenied(error) && rules.letsStart(server)) await host.servers.restart(server);
    }
    if (rules.texts.length === 0) screen.note('No rules: each call asks, unless you answered "always".');
    else screen.note(rules.texts.map((text) => `  ${text}`).join('\n'));
    return undefined;
  },
};

/** True for the error of a program that the user did not allow to start. */
function isDenied(error: unknown): boolean {
  return error instanceof HostError && error.reason === 'denied';
}

const usualRecords = 10;

export const audit: SlashCommand = {
  name: '/audit',
  words: '[NUMBER]',
  about: 'the last requests, and what became of them',
  async run([word], { audit: log, screen }) {
    const { paintError } = screen.terminal;
    const records = log.records.slice(-(Number(word) || usualRecords));
    if (records.length === 0) screen.note('Nothing was sent yet.');
    for (const { time, kind, server, name, outcome, decidedBy, ms, reason } of records) {
      const at = new Date(time).toTimeString().slice(0, 8);
      const took = ms === undefined ? '' : ` in ${ms} ms`;
      const why = reason === undefined ? '' : `\n           ${paintError('dim', shortLine(reason, 200))}`;
      screen.note(
        `  ${paintError('dim', at)} ${kind} ${paintError('bold', server)} · ${shortLine(name, 60)}  ${outcome}${took} (${decidedBy})${why}`,
      );
    }
    return undefined;
  },
};

export const save: SlashCommand = {
  name: '/save',
  words: 'NUMBER [FILE]',
  about: 'write an image or file of a result',
  async run([number = '', name], { runs, screen }) {
    const file = runs.file(Number(number));
    if (file === undefined)
      throw new WorkbenchError('usage', `There is no file ${number || '(which one?)'}: write /save NUMBER`);
    const path = name ?? `${file.kind}-${number}.${extensionOf(file.mimeType)}`;
    await writeNewFile(resolve(screen.terminal.source.cwd, path), file.bytes);
    screen.note(`Wrote ${sizeText(file.bytes.length)} to ${path}`);
    return undefined;
  },
};

export const clear: SlashCommand = {
  name: '/clear',
  about: 'forget the conversation; answers and rules stay',
  async run(_, { conversation, screen }) {
    conversation.clear();
    screen.note('The model has forgotten the conversation.');
    return undefined;
  },
};

export const quit: SlashCommand = {
  name: '/quit',
  about: 'end the conversation; Ctrl+D does too',
  run: async () => 'quit',
};
