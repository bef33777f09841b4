import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Tool } from '@tenon/mcp-client';
import { WorkbenchError } from '@tenon/mcp-workbench';
import { type Arguments, argumentProblems, argumentsOf } from '@tenon/mcp-workbench/calls';
import { readJsonObject } from '../input/read-json.js';
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
