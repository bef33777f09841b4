import { isRecord, jsonIn } from '@tenon/foundation';
import type { JsonObject } from '@tenon/mcp-protocol';
import { callsIn, type ModelRequest, type ToolResultBlock } from '../model.js';
import type { ModelTool } from '../model-tool.js';
import { argumentsFor, type ToolArguments } from './demo-arguments.js';
import { lastResults, lastText } from './last-message.js';

interface DemoReply {
  readonly text: string;
  readonly calls?: readonly { readonly name: string; readonly args: JsonObject }[];
}

const mostShown = 2_000;
const mostListed = 12;
const mostRead = 4_000;

/** Replies as the model of a demo: calls the tool that the user's words name, and then says what it returned. */
export function demoReply(request: ModelRequest): DemoReply {
  const results = lastResults(request);
  if (results.length > 0) return { text: results.map((result) => summary(result, request)).join('\n') };
  const said = lastText(request).slice(0, mostRead);
  const tools = request.toolChoice === 'none' ? [] : request.tools;
  const tool = toolIn(said, tools) ?? (request.toolChoice === 'required' ? tools[0] : undefined);
  if (tool === undefined) return { text: greeting(tools) };
  const { args, missing } = argumentsOf(said, tool);
  const isReady = missing.length === 0 || request.toolChoice === 'required';
  return isReady
    ? { text: `I call ${tool.name}.`, calls: [{ name: tool.name, args }] }
    : { text: needs(tool, missing) };
}

function summary({ id, content, isError }: ToolResultBlock, { messages }: ModelRequest): string {
  const calls = messages.flatMap((message) => callsIn(message.content));
  const name = calls.find((call) => call.id === id)?.name ?? 'The tool';
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const media = content.filter(({ type }) => type !== 'text').map(({ type }) => `[${type}]`);
  const all = [text, ...media].filter((part) => part !== '').join('\n');
  const shown = all.length > mostShown ? `${all.slice(0, mostShown)}…` : all;
  return `${name} ${isError ? 'failed' : 'returned'}: ${shown === '' ? 'nothing' : shown}`;
}

function greeting(tools: readonly ModelTool[]): string {
  const [first] = tools;
  if (first === undefined) return 'I am a scripted model, and I have no tools.';
  const names = tools.slice(0, mostListed).map(({ name }) => name);
  const more = tools.length > names.length ? ` and ${tools.length - names.length} more` : '';
  return `I am a scripted model. I can call ${names.join(', ')}${more}. Say for example: ${example(first)}`;
}

function needs(tool: ModelTool, missing: readonly string[]): string {
  return `${tool.name} needs ${missing.join(', ')}. Say for example: ${example(tool)}`;
}

function example({ name, tool }: ModelTool): string {
  const { required } = tool.inputSchema;
  const names = Array.isArray(required) ? required.map((member) => `${member}=...`) : [];
  return ['call', name, ...names].join(' ');
}

/** Returns the tool that the words name: after "call", or else the one with the most words of its name among them. */
function toolIn(said: string, tools: readonly ModelTool[]): ModelTool | undefined {
  const named = /\bcall\s+(\S+)/i.exec(said)?.[1];
  const exact = tools.find(({ name, tool }) => named === name || named === tool.name);
  if (exact !== undefined) return exact;
  const words = new Set(wordsOf(said));
  let [best, most] = [undefined as ModelTool | undefined, 0];
  for (const tool of tools) {
    const own = wordsOf(tool.tool.name);
    const found = own.filter((word) => word.length > 2 && words.has(word)).length;
    // A name with all its words counts more than one with some.
    const score = found === own.length ? found + 0.5 : found;
    if (score > most) [best, most] = [tool, score];
  }
  return best;
}

/** Returns the words of a text or a name (`readFile`, `read_file`), in lower case. */
function wordsOf(text: string): readonly string[] {
  return (
    text
      .replace(/([a-z\d])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\d]+/gu) ?? []
  );
}

/** Returns the arguments in the words: a JSON object, or values in the order of the schema's members. */
function argumentsOf(said: string, { name, tool }: ModelTool): ToolArguments {
  // After a name, an object is the value of one member.
  const object = said.search(/(?<![=:]\s?)\{/);
  if (object >= 0) {
    // Otherwise the braces are words of the user.
    const args = jsonIn(said.slice(object));
    if (isRecord(args)) return { args: args as JsonObject, missing: [] };
  }
  const names = new Set([...wordsOf(name), ...wordsOf(tool.name), 'call']);
  const rest = said
    .replace(/^\s*call\s+\S+/i, '')
    .replace(/[\p{L}\d_]+/gu, (word) => (names.has(word.toLowerCase()) ? '' : word));
  return argumentsFor(rest, tool.inputSchema);
}
