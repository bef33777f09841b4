import { type ToolResult, textOf } from '@tenon/mcp-client';
import { withoutControls } from '@tenon/mcp-protocol';
import { WorkbenchError } from '@tenon/mcp-workbench';
import type { Terminal } from '../terminal/terminal.js';

/** Prints the result of a tool call. @throws WorkbenchError `tool` if the tool answered with an error. */
export function printToolResult(
  terminal: Terminal,
  { name, result, json }: { readonly name: string; readonly result: ToolResult; readonly json: boolean },
): void {
  const { structuredContent, content } = result;
  if (json) terminal.printJson(result);
  else if (structuredContent === undefined) print(terminal, textOf(content));
  else print(terminal, JSON.stringify(structuredContent, undefined, 2));
  if (result.isError) throw new WorkbenchError('tool', `The tool "${name}" answered with an error.`);
}

function print(terminal: Terminal, text: string): void {
  terminal.print(terminal.source.output.isTTY === true ? withoutControls(text) : text);
}
