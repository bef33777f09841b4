import { WorkbenchError } from '@tenon/mcp-workbench';
import type { Arguments } from '@tenon/mcp-workbench/calls';
import { readValue } from '@tenon/mcp-workbench/calls';
import { readText } from '../files/read-file.js';
import type { Terminal } from '../terminal/terminal.js';

const mostInputBytes = 64 * 1_024 * 1_024;

/**
 * Returns the object in a text, in the file of `@file`, or in stdin for `-`.
 * @throws WorkbenchError `usage` if it is not a JSON object.
 */
export async function readJsonObject(source: string, terminal: Terminal): Promise<Arguments> {
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
