import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Tool } from '@tenon/mcp-client';
import { WorkbenchError } from '@tenon/mcp-workbench';
import { type Arguments, argumentProblems, argumentsOf, readValue } from '@tenon/mcp-workbench/calls';
import { readText } from '../files/files.js';
import type { Terminal } from '../terminal/terminal.js';
import type { CallLine } from './call-line.js';

/** The words of a call, and the JSON objects that were read with them. */
export interface ReadCall {
  readonly call: CallLine;
  readonly json: Arguments;
}

/**
 * Returns a call with the JSON of `--args`, of its words and of stdin.
 * @throws WorkbenchError `usage` if a text is not a JSON object.
 */
export async function readCall(
  call: CallLine,
  args: string | undefined,
  terminal: Terminal,
): Promise<ReadCall> {
  const sources = [...(args === undefined ? [] : [args]), ...call.objects, ...(call.readsInput ? ['-'] : [])];
  let json: Arguments = {};
  for (const source of sources) json = { ...json, ...(await readJsonObject(source, terminal)) };
  return { call, json };
}

/**
 * Returns the arguments of a call, converted to the types of the tool. Required ones may be missing.
 * @throws WorkbenchError `usage` for unknown names, and values that cannot be converted.
 */
export async function argumentsFor(
  tool: Tool,
  { call, json }: ReadCall,
  { source: { cwd } }: Terminal,
): Promise<Arguments> {
  const { expression, words } = call;
  return argumentsOf(tool, {
    ...{ json, expression, words },
    readFile: (path) => readFile(resolve(cwd, path)),
  });
}

/** @throws WorkbenchError `usage` that lists the problems of the arguments by the input schema of the tool. */
export function requireAccepted(tool: Tool, args: Arguments, hint: string): void {
  const problems = argumentProblems(tool, args);
  if (problems.length === 0) return;
  throw new WorkbenchError(
    'usage',
    `The tool "${tool.name}" does not accept the arguments:\n  ${problems.join('\n  ')}`,
    { hint },
  );
}

const mostInputBytes = 64 * 1_024 * 1_024;

/**
 * Returns the object in a text, in the file of `@file`, or in stdin for `-`.
 * @throws WorkbenchError `usage` if it is not a JSON object.
 */
async function readJsonObject(source: string, terminal: Terminal): Promise<Arguments> {
  const text = await readSource(source, terminal);
  const value = readValue(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Arguments;
  throw new WorkbenchError('usage', 'The arguments are not a JSON object.', {
    hint: 'Example: --args \'{"message": "hi"}\'',
  });
}

async function readSource(source: string, terminal: Terminal): Promise<string> {
  if (source === '-') return readInput(terminal);
  if (!source.startsWith('@')) return source;
  return readText(source.slice(1), terminal);
}

async function readInput({ source }: Terminal): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of source.input) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer);
    length += bytes.length;
    if (length > mostInputBytes)
      throw new WorkbenchError('usage', `stdin has more than ${mostInputBytes} bytes.`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString();
}
