import { didYouMean } from '@tenon/foundation';
import type { Prompt } from '@tenon/mcp-client';
import { readList, type ServerClient, WorkbenchError } from '@tenon/mcp-workbench';
import { listedNames, parseWordArgument, unknownName } from '@tenon/mcp-workbench/calls';
import { printContent } from '../../content/print-content.js';
import { type InputOptions, inputSource } from '../../input/input-source.js';
import { prompterOf } from '../../input/prompter.js';
import type { ServerOptions } from '../../server/server-options.js';
import { type ServerLine, withClient } from '../../server/with-client.js';

/** Options of `tenon prompt`. */
interface PromptOptions extends ServerOptions, InputOptions {
  readonly saveImages?: string;
}

type PromptLine = ServerLine<PromptOptions>;

/** Gets a prompt, and prints its messages with their roles. */
export async function runPrompt(line: PromptLine): Promise<void> {
  const { options, terminal } = line;
  const input = await inputSource(line, options);
  await withClient({ ...line, open: input.open }, async ({ client, words: [name, ...words] }) => {
    if (name === undefined) {
      throw new WorkbenchError('usage', 'No prompt is named.', {
        hint: 'Example: tenon prompt https://example.com/mcp greet name=Ada',
      });
    }
    const prompt = await promptNamed(client, name, line);
    const args = await completeArguments(prompt, argumentsOf(prompt, words), line);
    const result = await input.run(() => client.getPrompt(name, args, { signal: input.signal }));
    if (options.json) return terminal.printJson(result);
    const last = result.messages.length - 1;
    for (const [index, { role, content }] of result.messages.entries()) {
      terminal.print(terminal.paint('bold', `${role}:`));
      await printContent([content], terminal, { name, saveIn: options.saveImages });
      if (index < last) terminal.print('');
    }
  });
}

async function promptNamed(client: ServerClient, name: string, { signal }: PromptLine): Promise<Prompt> {
  const prompts = await readList(client, 'prompts', { signal });
  const prompt = prompts.find((one) => one.name === name);
  if (prompt !== undefined) return prompt;
  throw unknownName({ kind: 'prompt', name, names: prompts.map((one) => one.name) });
}

type Values = { readonly [name: string]: string };

function argumentsOf({ name, arguments: list = [] }: Prompt, words: readonly string[]): Values {
  const names = list.map((one) => one.name);
  const entries = words.map((word): [string, string] => {
    const argument = parseWordArgument(word);
    if (argument === undefined)
      throw new WorkbenchError('usage', `"${word}" is not an argument.`, { hint: 'Write name=value.' });
    if (names.includes(argument.name)) return [argument.name, argument.text];
    const hint = didYouMean(argument.name, names) ?? `The prompt has ${listedNames('argument', names)}.`;
    throw new WorkbenchError('usage', `The prompt "${name}" has no argument "${argument.name}".`, { hint });
  });
  return Object.fromEntries(entries);
}

async function completeArguments(
  { name, arguments: list = [] }: Prompt,
  values: Values,
  { terminal, signal }: PromptLine,
): Promise<Values> {
  const missing = list.filter((one) => one.required === true && !Object.hasOwn(values, one.name));
  if (missing.length === 0) return values;
  if (!terminal.isInteractive) {
    const names = missing.map((one) => `"${one.name}"`).join(', ');
    throw new WorkbenchError('usage', `Arguments are missing for the prompt "${name}": ${names}.`, {
      hint: `Write ${missing.map((one) => `${one.name}=...`).join(' ')}`,
    });
  }
  const prompter = await prompterOf(terminal, signal);
  const added: [string, string][] = [];
  for (const one of missing) {
    const message = `${one.name}${one.description === undefined ? '' : `\n${one.description}`}`;
    const answer = await prompter.text({ message });
    if (answer === undefined) throw new WorkbenchError('usage', `The prompt "${name}" was not requested.`);
    added.push([one.name, answer]);
  }
  return { ...values, ...Object.fromEntries(added) };
}
