import { WorkbenchError } from '@tenon/mcp-workbench';
import {
  type CallExpression,
  isCallExpression,
  parseCallExpression,
  parseWordArgument,
  splitCallee,
  type WordArgument,
} from '@tenon/mcp-workbench/calls';
import { isScript } from '../server/chosen-server.js';

/** The words of a call, in parts. */
export interface CallLine {
  /** The words that name the server: one, or none if a command does. */
  readonly server: readonly string[];
  readonly tool: string;
  readonly expression: CallExpression | undefined;
  readonly words: readonly WordArgument[];
  /** JSON objects among the words. */
  readonly objects: readonly string[];
  /** True if a word is `-`: the arguments are JSON on stdin. */
  readonly readsInput: boolean;
}

/**
 * Reads the words of a call: `SERVER TOOL a=1`, `SERVER 'tool(a: 1)'`, `'server.tool(a: 1)'` or `server.tool a=1`; without the server
 * if a command names it.
 * @throws WorkbenchError `usage`
 */
export function readCallLine(words: readonly string[], hasCommand: boolean): CallLine {
  const { server, callee, rest } = calleeOf(words, hasCommand);
  const expression = isCallExpression(callee) ? parseCallExpression(callee) : undefined;
  const line = { server, tool: expression?.callee ?? callee, expression };
  const found: WordArgument[] = [];
  const objects = rest.filter((word) => word.trimStart().startsWith('{'));
  for (const word of rest) {
    if (word === '-' || objects.includes(word)) continue;
    const argument = parseWordArgument(word);
    if (argument === undefined) throw notAnArgument(word);
    found.push(argument);
  }
  return { ...line, words: found, objects, readsInput: rest.includes('-') };
}

interface Parts {
  readonly server: readonly string[];
  readonly callee: string;
  readonly rest: readonly string[];
}

function calleeOf(words: readonly string[], hasCommand: boolean): Parts {
  const [first, second, ...more] = words;
  if (first === undefined) throw noTool(hasCommand);
  const rest = words.slice(1);
  if (hasCommand) return { server: [], callee: first, rest };
  const open = isCallExpression(first) ? first.indexOf('(') : first.length;
  const isAlone = second === undefined || second === '-' || parseWordArgument(second) !== undefined;
  const parts =
    open < first.length || (isAlone && !isScript(first)) ? splitCallee(first.slice(0, open)) : undefined;
  if (parts !== undefined) return { server: [parts.server], callee: parts.tool + first.slice(open), rest };
  if (open < first.length) {
    throw new WorkbenchError('usage', `The call "${first.slice(0, 60)}" does not name a server.`, {
      hint: `Write "server.${first.slice(0, open)}(...)", or the server before it.`,
    });
  }
  if (second === undefined || isAlone) throw noTool(hasCommand);
  return { server: [first], callee: second, rest: more };
}

function noTool(hasCommand: boolean): WorkbenchError {
  return new WorkbenchError('usage', 'No tool is named.', {
    hint: hasCommand
      ? 'Write the tool before the command: tenon call echo message=hi -- node server.js'
      : 'Write the server and the tool: tenon call https://example.com/mcp echo message=hi',
  });
}

function notAnArgument(word: string): WorkbenchError {
  return new WorkbenchError('usage', `"${word}" is not an argument.`, {
    hint: 'Write name=value, name:=json, name=@file, a JSON object, or - for JSON on stdin.',
  });
}
