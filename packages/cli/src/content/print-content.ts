import { resolve } from 'node:path';
import { printableJson } from '@tenon/foundation';
import type { ContentBlock } from '@tenon/mcp-client';
import { type ContentFile, fileOf, imageProtocol, inlineImage, sizeText } from '@tenon/mcp-workbench/calls';
import { saveInFolder } from '../files/files.js';
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

/** Options of {@link printContent}. */
interface PrintOptions {
  /** The beginning of the names of saved files. */
  readonly name: string;
  /** The folder for images, audio and other bytes; they are not saved without it. */
  readonly saveIn?: string | undefined;
}

/** Prints content to stdout: text as it is, bytes as a line, or as an image where the terminal can show it. */
export async function printContent(
  content: readonly ContentBlock[],
  terminal: Terminal,
  { name, saveIn }: PrintOptions,
): Promise<void> {
  const folder = saveIn === undefined ? undefined : resolve(terminal.source.cwd, saveIn);
  for (const block of content) {
    const file = fileOf(block);
    if (file === undefined) terminal.print(blockText(block));
    else {
      const path = folder === undefined ? undefined : await saveInFolder(folder, { name, file });
      if (path === undefined) printFile(file, terminal);
      else terminal.print(`${fileTitle(file)} saved: ${path}`);
    }
  }
}

/** Returns the text of content without bytes. */
export function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource_link': {
      const { uri, name, title, mimeType, description } = block;
      const details = [title ?? name, mimeType, description].filter(
        (text) => text !== undefined && text !== uri,
      );
      return `[link] ${uri}  ${details.join(', ')}`.trimEnd();
    }
    case 'resource':
      return 'text' in block.resource ? `[resource] ${block.resource.uri}\n${block.resource.text}` : '';
    default:
      return `[${String((block as { type?: unknown }).type)}]`;
  }
}

function fileTitle({ kind, mimeType, bytes, uri }: ContentFile): string {
  return `[${kind}] ${[mimeType, sizeText(bytes.length), ...(uri === undefined ? [] : [uri])].join(', ')}`;
}

/** Prints the line of bytes, and the image where the terminal can show it. */
export function printFile(file: ContentFile, terminal: Terminal): void {
  const { output, env } = terminal.source;
  const protocol = output.isTTY === true ? imageProtocol(env) : undefined;
  const image = protocol === undefined ? undefined : inlineImage(file, protocol);
  if (image !== undefined) terminal.printImage(image);
  terminal.print(terminal.paint('dim', fileTitle(file)));
}
