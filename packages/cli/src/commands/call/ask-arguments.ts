import type { Tool } from '@tenon/mcp-client';
import type { JsonValue } from '@tenon/mcp-protocol';
import { WorkbenchError } from '@tenon/mcp-workbench';
import {
  type Arguments,
  argumentProblems,
  argumentsOf,
  type Parameter,
  typeOf,
} from '@tenon/mcp-workbench/calls';
import type { Prompter } from '../../input/prompter.js';

const mostChoices = 50;

/** Returns required arguments that have no value yet, as the user enters them. @throws WorkbenchError `usage` if the user stops. */
export async function askArguments(
  tool: Tool,
  missing: readonly Parameter[],
  prompter: Prompter,
): Promise<Arguments> {
  prompter.say(`${tool.name} needs ${missing.length === 1 ? 'an argument' : `${missing.length} arguments`}.`);
  const values: [string, JsonValue][] = [];
  for (const parameter of missing)
    values.push([parameter.name, await askArgument(tool, parameter, prompter)]);
  return Object.fromEntries(values);
}

async function askArgument(tool: Tool, { name, schema }: Parameter, prompter: Prompter): Promise<JsonValue> {
  const type = typeOf(schema, { root: tool.inputSchema, brief: true });
  const { description, enum: choices, type: kind } = (schema ?? {}) as { [keyword: string]: unknown };
  const message = `${name}: ${type}${typeof description === 'string' ? `\n${description}` : ''}`;
  const options = kind === 'boolean' ? [true, false] : choices;
  if (Array.isArray(options) && options.length <= mostChoices) {
    const labels = options.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
    const answer = await prompter.choice({
      message,
      choices: labels.map((label) => ({ value: label, label })),
    });
    return options[labels.indexOf(requireAnswer(answer, tool))] as JsonValue;
  }
  for (;;) {
    const text = requireAnswer(await prompter.text({ message }), tool);
    try {
      return await checkedValue(tool, name, text);
    } catch (error) {
      if (!(error instanceof WorkbenchError)) throw error;
      prompter.say(error.message);
    }
  }
}

async function checkedValue(tool: Tool, name: string, text: string): Promise<JsonValue> {
  const readFile = () => Promise.reject(new WorkbenchError('usage', 'Files are not read here.'));
  // A text that begins with @ is no file here.
  const words = [{ name, isJson: false, text: text.replace(/^@/, '@@') }];
  const { [name]: value = text } = await argumentsOf(tool, { words, readFile });
  const problem = argumentProblems(tool, { [name]: value }).find((one) => one.startsWith(`${name}:`));
  if (problem !== undefined) throw new WorkbenchError('usage', problem);
  return value;
}

function requireAnswer(answer: string | undefined, { name }: Tool): string {
  if (answer !== undefined) return answer;
  throw new WorkbenchError('usage', `The tool "${name}" was not called.`);
}
