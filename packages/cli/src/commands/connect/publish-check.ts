import { resolve } from 'node:path';
import { type Catalog, failureOf, readCatalog, WorkbenchError } from '@tenon/mcp-workbench';
import { wrapped } from '@tenon/mcp-workbench/calls';
import {
  checkPublishing,
  type PublishFiles,
  type PublishFinding,
  readPublishFiles,
} from '@tenon/mcp-workbench/publishing';
import type { CommandLine } from '../../context.js';
import type { ServerOptions } from '../../server/server-options.js';
import { withClient } from '../../server/with-client.js';
import type { Terminal } from '../../terminal/terminal.js';
import { counted, oneLine } from '../../terminal/texts.js';

/** The options of `tenon publish-check`. */
interface PublishCheckOptions extends Omit<ServerOptions, 'header' | 'transport'> {
  /** False: the server is not started. */
  readonly start: boolean;
  readonly strict?: true;
}

/** Its words are the folder. */
type PublishCheckLine = CommandLine<PublishCheckOptions>;

/** Checks the files of a folder that describe a server, against each other and against the running server. */
export async function runPublishCheck(line: PublishCheckLine): Promise<void> {
  const { options, terminal, words } = line;
  const files = await readPublishFiles(resolve(terminal.source.cwd, words[0] ?? '.'));
  // Fails before the server is started if there is nothing to check.
  await checkPublishing(files, undefined);
  const live = options.start ? await started(files, line) : undefined;
  const findings = [
    ...(await checkPublishing(files, live?.catalog)),
    ...(live?.failure === undefined ? [] : [live.failure]),
  ];
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.length - errors;
  if (options.json) {
    terminal.printJson({ folder: files.folder.path, files: files.names, errors, warnings, findings });
  } else {
    printFindings(terminal, findings);
    terminal.print(summary({ files, live: live?.catalog, errors, warnings }));
  }
  if (errors === 0 && !(options.strict && warnings > 0)) return;
  throw new WorkbenchError('findings', 'The server is not ready to be published.');
}

interface Live {
  readonly catalog?: Catalog;
  readonly failure?: PublishFinding;
}

/** Starts the server, and reads its lists. Undefined if there is nothing to start. */
async function started(files: PublishFiles, line: PublishCheckLine): Promise<Live | undefined> {
  const { facts, folder } = files;
  const command = commandOf(files, line);
  if (command === undefined) return undefined;
  const options = { ...line.options, ...noUrl, cwd: line.options.cwd ?? folder.path };
  try {
    return await withClient({ ...line, words: [], serverCommand: command, options }, async ({ client }) => ({
      catalog: await readCatalog(client, { signal: line.signal }),
    }));
  } catch (error) {
    const failure = failureOf(error);
    if (line.signal.aborted || failure === undefined) throw error;
    return {
      failure: {
        ...{ rule: 'start', severity: 'error', file: facts === undefined ? 'server.json' : 'package.json' },
        message: `The server does not start with "${command.join(' ')}": ${failure.message}`,
        fix: 'Start it yourself to see why. Pass variables with -e NAME=value, or its command after --.',
      },
    };
  }
}

/** The options of servers with a URL, which the command does not have. */
const noUrl = { header: {}, transport: 'auto' } as const;

function commandOf(
  { facts }: PublishFiles,
  { serverCommand }: PublishCheckLine,
): readonly string[] | undefined {
  if (serverCommand.length > 0) return serverCommand;
  return facts?.program === undefined ? undefined : [process.execPath, facts.program];
}

function summary({
  files,
  live,
  errors,
  warnings,
}: {
  readonly files: PublishFiles;
  readonly live: Catalog | undefined;
  readonly errors: number;
  readonly warnings: number;
}): string {
  const server =
    live === undefined ? 'the server was not started' : `${counted(live.tools.length, 'tool')} live`;
  const found =
    errors + warnings === 0 ? 'no problems' : `${counted(errors, 'error')}, ${counted(warnings, 'warning')}`;
  return `${files.names.join(', ')}; ${server}: ${found}`;
}

/** Prints findings by file, each with its fix. */
function printFindings(terminal: Terminal, findings: readonly PublishFinding[]): void {
  const { paint } = terminal;
  const files = [...new Set(findings.map(({ file }) => file))];
  for (const file of files) {
    terminal.print(paint('bold', file));
    for (const { severity, rule, path, message, fix } of findings.filter((one) => one.file === file)) {
      const label = paint(severity === 'error' ? 'red' : 'yellow', severity.padEnd(7));
      const place = path === undefined || path === '' ? '' : `  ${oneLine(path)}`;
      terminal.print(`  ${label}  ${paint('dim', `${rule}${place}`)}`);
      const width = Math.max(terminal.columns - indentation.length, 40);
      for (const line of wrapped(oneLine(message), width)) terminal.print(indentation + line);
      const [first = '', ...rest] = wrapped(`fix: ${oneLine(fix)}`, width);
      terminal.print(indentation + first.replace('fix:', paint('cyan', 'fix:')));
      for (const line of rest) terminal.print(`${indentation}     ${line}`);
    }
  }
}

/** The space before the texts of a finding. */
const indentation = ' '.repeat(11);

/** Returns findings as lines of text. */
export function describeFindings(findings: readonly PublishFinding[]): string {
  return findings
    .map(({ path = '', message, fix }) => `  ${oneLine(`${path}  ${message} ${fix}`)}`)
    .join('\n');
}
