import { printableJson } from '@tenon/mcp-workbench/printable';
import type { Terminal } from '../terminal/terminal.js';

const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Returns a value as indented JSON, with colours on a terminal. */
export function paintJson(value: unknown, terminal: Terminal): string {
  const { paint } = terminal;
  return printableJson(value, 2).replace(
    tokens,
    (token, string: string | undefined, colon: string | undefined) => {
      if (string === undefined) return paint('yellow', token);
      return colon === undefined ? paint('green', string) : `${paint('cyan', string)}${colon}`;
    },
  );
}
