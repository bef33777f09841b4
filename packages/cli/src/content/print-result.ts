import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { jsonIn, printableJson } from '@tenon/foundation';
import { type CallToolResult, type ContentBlock, type Tool, textOf } from '@tenon/mcp-client';
import { WorkbenchError } from '@tenon/mcp-workbench';
import { fileOf } from '@tenon/mcp-workbench/calls';
import { saveInFolder, writeOutput } from '../files/files.js';
import type { Terminal } from '../terminal/terminal.js';
import { paintJson, printContent } from './print-content.js';

/** Options of printed results. */
export interface ResultOptions {
  readonly json?: true;
  readonly saveImages?: string;
  readonly output?: string;
  readonly force?: true;
}

/** A printed result. */
interface ResultPlace {
  readonly tool: Pick<Tool, 'name'>;
  readonly terminal: Terminal;
  readonly options: ResultOptions;
}

/** Rejects a file of `--output` that exists, before the tool runs. @throws WorkbenchError `usage` */
export function requireFreeOutput({ output, force }: ResultOptions, terminal: Terminal): void {
  if (output !== undefined && !force && existsSync(resolve(terminal.source.cwd, output)))
    throw new WorkbenchError('usage', `The file ${output} exists already.`, {
      hint: 'Replace it with --force.',
    });
}

/** Prints the result of a tool. @throws WorkbenchError `tool` if the result is an error, after its content was printed. */
export async function printResult(result: CallToolResult, place: ResultPlace): Promise<void> {
  const { tool, terminal, options } = place;
  const { content, isError, structuredContent } = result;
  if (options.output !== undefined && isError !== true) await writeResult(result, options.output, place);
  else if (options.json) {
    await saveFiles(result, place);
    terminal.printJson(result);
  } else {
    const blocks = content.filter((block) => !isSameJson(block, structuredContent));
    await printContent(blocks, terminal, { name: tool.name, saveIn: options.saveImages });
    if (structuredContent !== undefined && !isRepeated(structuredContent, blocks))
      terminal.print(paintJson(structuredContent, terminal));
  }
  if (isError === true) throw new WorkbenchError('tool', `The tool "${tool.name}" answered with an error.`);
}

/** True for a text that repeats the structured content, as the specification recommends. */
function isSameJson(block: ContentBlock, structuredContent: unknown): boolean {
  return structuredContent !== undefined && block.type === 'text' && isJsonOf(block.text, structuredContent);
}

/** True if structured content is an object with one member, which has the same value as the texts: many servers wrap texts so. */
function isRepeated(structuredContent: unknown, content: readonly ContentBlock[]): boolean {
  const [value, ...others] = Object.values(Object(structuredContent));
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const [text, ...more] = texts;
  if (text === undefined || others.length > 0) return false;
  return more.length > 0 ? isDeepStrictEqual(value, texts) : value === text || isJsonOf(text, value);
}

function isJsonOf(text: string, value: unknown): boolean {
  return value !== undefined && isDeepStrictEqual(jsonIn(text), value);
}

/** Saves the files of a result that is printed as JSON. */
async function saveFiles(
  { content }: CallToolResult,
  { tool, terminal, options }: ResultPlace,
): Promise<void> {
  if (options.saveImages === undefined) return;
  const folder = resolve(terminal.source.cwd, options.saveImages);
  for (const file of content.flatMap((block) => fileOf(block) ?? []))
    terminal.note(`Saved ${await saveInFolder(folder, { name: tool.name, file })}`);
}

/** Writes the bytes of the only image or file, otherwise the text, to a new file. */
async function writeResult(
  { content, structuredContent }: CallToolResult,
  output: string,
  { terminal, options }: ResultPlace,
): Promise<void> {
  const files = content.flatMap((block) => fileOf(block) ?? []);
  const [file] = files;
  if (files.length > 1) {
    throw new WorkbenchError('usage', `The result has ${files.length} files; --output writes one.`, {
      hint: 'Write them to a folder: --save-images DIR',
    });
  }
  const embedded = content.flatMap((block) => (block.type === 'resource' ? [block.resource] : []));
  const text = textOf([...content, ...embedded]) || printableJson(structuredContent, 2);
  const bytes = file?.bytes ?? new TextEncoder().encode(text);
  await writeOutput(output, bytes, { force: options.force, terminal });
}
