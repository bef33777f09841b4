import { didYouMean } from '@tenon/foundation';
import { isResourceNotFound, type ReadResourceResult } from '@tenon/mcp-client';
import { type ServerClient, WorkbenchError } from '@tenon/mcp-workbench';
import { fileOf } from '@tenon/mcp-workbench/calls';
import { printFile } from '../../content/print-content.js';
import { writeOutput } from '../../files/files.js';
import { type InputOptions, inputSource } from '../../input/input-source.js';
import type { ServerOptions } from '../../server/server-options.js';
import { type ServerLine, withClient } from '../../server/with-client.js';
import type { Terminal } from '../../terminal/terminal.js';

/** Options of `tenon read`. */
interface ReadOptions extends ServerOptions, InputOptions {
  readonly output?: string;
  readonly force?: true;
}

type ReadLine = ServerLine<ReadOptions>;

type Contents = ReadResourceResult['contents'][number];

/** Reads a resource: its text or bytes go to stdout, or to a file. */
export async function runRead(line: ReadLine): Promise<void> {
  const { options, terminal } = line;
  const input = await inputSource(line, options);
  await withClient({ ...line, open: input.open }, async ({ client, words: [uri, ...more] }) => {
    if (uri === undefined || more.length > 0) {
      throw new WorkbenchError('usage', uri === undefined ? 'No URI is given.' : 'One URI at a time.', {
        hint: 'Example: tenon read https://example.com/mcp file:///notes.txt',
      });
    }
    const read = () => client.readResource(uri, { signal: input.signal });
    const result = await input.run(read).catch(async (error: unknown) => {
      throw isResourceNotFound(error, uri) ? await notFound(client, uri, error) : error;
    });
    if (options.output !== undefined) await writeContents(result.contents, line);
    else if (options.json) terminal.printJson(result);
    else for (const contents of result.contents) printContents(contents, terminal);
  });
}

/** Returns the error for an unknown resource, with the URIs that may be meant. */
async function notFound(client: ServerClient, uri: string, cause: unknown): Promise<WorkbenchError> {
  const listed = await client
    .resources()
    .all()
    .catch(() => []);
  const meant = didYouMean(
    uri,
    listed.map((one) => one.uri),
  );
  const hint = meant ?? 'See "tenon list --resources".';
  return new WorkbenchError('usage', `The server has no resource "${uri}".`, { hint, cause });
}

function printContents(contents: Contents, terminal: Terminal): void {
  const { output } = terminal.source;
  if ('text' in contents) {
    // A pipe receives the text exactly.
    if (output.isTTY === true) terminal.print(contents.text.replace(/\n$/, ''));
    else output.write(contents.text);
    return;
  }
  if (output.isTTY !== true) {
    output.write(bytesOf(contents));
    return;
  }
  const file = fileOf({ type: 'resource', resource: contents });
  const kind = file?.mimeType.startsWith('image/') === true ? 'image' : 'resource';
  if (file !== undefined) printFile({ ...file, kind }, terminal);
  terminal.note('The resource has bytes: write them with --output FILE.');
}

function bytesOf(contents: Contents): Uint8Array {
  return 'text' in contents ? new TextEncoder().encode(contents.text) : Buffer.from(contents.blob, 'base64');
}

async function writeContents(list: readonly Contents[], { options, terminal }: ReadLine): Promise<void> {
  const { output = '', force } = options;
  const bytes = Buffer.concat(list.map(bytesOf));
  await writeOutput(output, bytes, { force, terminal });
}
