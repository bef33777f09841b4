import { resolve } from 'node:path';
import { redactThoroughly } from '@tenon/foundation/redaction/thorough';
import { readCatalog, WorkbenchError } from '@tenon/mcp-workbench';
import { isSameModule, isTypesModule, typesModule } from '@tenon/mcp-workbench/types';
import { readText, writeNewFile } from '../../files/files.js';
import type { ServerOptions } from '../../server/server-options.js';
import { describeWay, wayTo } from '../../server/way-back.js';
import { type ConnectedServer, type ServerLine, withClient } from '../../server/with-client.js';
import type { Terminal } from '../../terminal/terminal.js';
import { counted } from '../../terminal/texts.js';

/** The options of `tenon types`. */
interface TypesCommandOptions extends ServerOptions {
  readonly output?: string;
  readonly name?: string;
  readonly check?: true;
  readonly force?: true;
}

type TypesLine = ServerLine<TypesCommandOptions>;

/** Prints or writes TypeScript types of a server, or checks a file with them. */
export async function runTypes(line: TypesLine): Promise<void> {
  const { options } = line;
  if (options.check && options.output === undefined) {
    throw new WorkbenchError('usage', '--check needs the file that is to be checked.', {
      hint: 'Name it: --output server.d.ts',
    });
  }
  const made = await withClient(line, async ({ client, target }) => {
    const catalog = await readCatalog(client, { signal: line.signal });
    const { name } = options;
    const command = commandLine(target, options);
    const text = typesModule(catalog, { command, ...(name !== undefined && { name }) });
    return { text, tools: catalog.tools.length, prompts: catalog.prompts.length };
  });
  await deliver(made, line);
}

interface Made {
  readonly text: string;
  readonly tools: number;
  readonly prompts: number;
}

async function deliver({ text, tools, prompts }: Made, { options, terminal }: TypesLine): Promise<void> {
  const { output: out, check, force, json } = options;
  if (out === undefined) {
    if (json) terminal.printJson({ tools, prompts, module: text });
    else terminal.print(text.trimEnd());
    return;
  }
  const file = resolve(terminal.source.cwd, out);
  const present = await contentOf(file, terminal);
  const isCurrent = present !== undefined && isSameModule(present, text);
  if (check && !isCurrent) {
    const problem = present === undefined ? 'does not exist' : 'is out of date';
    throw new WorkbenchError('findings', `The file ${out} ${problem}.`, {
      hint: 'Make it again: the same command without --check.',
    });
  }
  if (!check && !isCurrent) {
    const isOwn = present !== undefined && isTypesModule(present);
    await writeNewFile(file, text, {
      force: isOwn || force === true,
      hint: 'tenon has not made it. Choose another name, or replace it with --force.',
    });
  }
  const what = `${counted(tools, 'tool')} and ${counted(prompts, 'prompt')}`;
  if (json) terminal.printJson({ file, tools, prompts, changed: !isCurrent });
  else terminal.print(`${out}: ${what}${isCurrent ? ', up to date' : ''}`);
}

async function contentOf(file: string, terminal: Terminal): Promise<string | undefined> {
  try {
    return await readText(file, terminal);
  } catch (error) {
    if (((error as Error).cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Returns the command line for the header of the file, without secrets: it may be published. */
function commandLine(target: ConnectedServer['target'], { output: out, name }: TypesLine['options']): string {
  const way = wayTo(target);
  const words = [
    'tenon types',
    ...(way.server === undefined ? [] : [way.server]),
    ...(out === undefined ? [] : ['--output', out]),
    ...(name === undefined ? [] : ['--name', name]),
    ...(way.command === undefined ? [] : [describeWay(way)]),
  ];
  return redactThoroughly(words.join(' '));
}
