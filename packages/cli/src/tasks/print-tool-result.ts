import { type ToolResult, textOf } from '@tenon/mcp-client';
import { WorkbenchError } from '@tenon/mcp-workbench';
import type { Terminal } from '../terminal/terminal.js';

/** Prints the result of a tool call. @throws WorkbenchError `tool` if the tool answered with an error. */
export function printToolResult(
  terminal: Terminal,
  { name, result, json }: { readonly name: string; readonly result: ToolResult; readonly json: boolean },
): void {
  const { structuredContent, content } = result;
  if (json) terminal.printJson(result);
  else if (structuredContent === undefined) terminal.print(terminal.fromServer(textOf(content)));
  else terminal.print(terminal.fromServer(JSON.stringify(structuredContent, undefined, 2)));
  if (result.isError) throw new WorkbenchError('tool', `The tool "${name}" answered with an error.`);
}
