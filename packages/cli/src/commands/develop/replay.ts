import { resolve } from 'node:path';
import { onAbort } from '@tenon/foundation';
import { describeTarget, WorkbenchError } from '@tenon/mcp-workbench';
import {
  type ComparisonReport,
  compareWithRecording,
  type ReplayOutcome,
  type ReportedDifference,
  replayHttp,
  replayStdio,
} from '@tenon/mcp-workbench/recordings';
import type { CommandLine } from '../../context.js';
import { chosenServer } from '../../server/chosen-server.js';
import type { ServerOptions } from '../../server/server-options.js';
import { withSignIn } from '../../server/with-client.js';
import type { Terminal } from '../../terminal/terminal.js';
import { counted } from '../../terminal/texts.js';

/** The options of `tenon replay`. */
export interface ReplayOptions extends ServerOptions {
  /** The server to which the client is played. */
  readonly to?: string;
  readonly stdio?: true;
  /** The port; true for any free port. */
  readonly http?: number | true;
  readonly ignore?: readonly string[];
  readonly update?: true;
}

type ReplayLine = CommandLine<ReplayOptions>;

/** Plays the client of a recording to the named server, or its server if none is named. */
export async function runReplay(line: ReplayLine): Promise<void> {
  const { options, serverCommand, terminal } = line;
  const [name = ''] = line.words;
  const { to, stdio, http } = options;
  const isClient = to !== undefined || serverCommand.length > 0;
  const modes = [isClient, stdio !== undefined, http !== undefined].filter(Boolean).length;
  if (modes > 1) {
    throw new WorkbenchError(
      'usage',
      'A server to play the client to, --stdio and --http exclude each other.',
    );
  }
  if (to !== undefined && serverCommand.length > 0)
    throw new WorkbenchError('usage', 'Give either --to, or the command of a server after --.');
  if (options.update && !isClient) {
    throw new WorkbenchError('usage', '--update needs a server that answers.', {
      hint: `Write: tenon replay ${name} --update --to URL, or the command of a server after --.`,
    });
  }
  if (isClient) return playClient(name, line);
  const isTerminal = terminal.source.input.isTTY === true;
  return stdio || (http === undefined && !isTerminal) ? playStdio(name, line) : playHttp(name, line);
}

async function playClient(name: string, line: ReplayLine): Promise<void> {
  const { options, terminal, signal } = line;
  const { to, timeout, ignore = [], update, json } = options;
  const { target } = await chosenServer(to === undefined ? [] : [to], options, line);
  terminal.status(`Playing ${name} ...`);
  const report = await withSignIn(target, line, (auth) =>
    compareWithRecording(target, {
      ...{ file: resolve(terminal.source.cwd, name), ignore, auth, signal },
      ...(timeout !== undefined && { patience: timeout * 1_000 }),
      ...(update && { update }),
    }),
  );
  const { compared, differences } = report;
  if (json) terminal.printJson({ file: name, server: describeTarget(target), ...report });
  else printReport(terminal, name, report);
  if (differences.length === 0) return;
  if (update) {
    if (!json) terminal.print(`${name} has the messages of this server now.`);
    return;
  }
  const hint = `--update writes the new messages into ${name}. --ignore NAME leaves out members that change with each run.`;
  const count = counted(differences.length, 'difference');
  throw new WorkbenchError('findings', `${count} from ${name} in ${counted(compared, 'message')}.`, { hint });
}

function printReport(terminal: Terminal, name: string, { compared, differences }: ComparisonReport): void {
  const { paint } = terminal;
  if (differences.length === 0) {
    terminal.print(`${paint('green', 'ok')} ${name}: ${compared} messages are as recorded`);
    return;
  }
  for (const difference of differences) terminal.print(describeDifference(difference, name, terminal));
}

function describeDifference(
  { kind, line, about, details }: ReportedDifference,
  name: string,
  { paint }: Terminal,
): string {
  const where = line === undefined ? name : `${name}:${line}`;
  const problem = { different: 'differs', missing: 'did not arrive', unexpected: 'was not recorded' }[kind];
  const head = `${paint('dim', where)}  ${paint('bold', about)} ${paint('red', problem)}`;
  return [head, ...details.map((one) => `  ${one}`)].join('\n');
}

async function playStdio(name: string, line: ReplayLine): Promise<void> {
  const { terminal, signal, options } = line;
  const { input, output, cwd } = terminal.source;
  const file = resolve(cwd, name);
  report(name, await replayStdio({ file, ignore: options.ignore ?? [], input, output, signal }), terminal);
}

async function playHttp(name: string, { terminal, signal, options }: ReplayLine): Promise<void> {
  const { http, ignore = [] } = options;
  const port = typeof http === 'number' ? http : 0;
  const server = await replayHttp({ file: resolve(terminal.source.cwd, name), ignore, port });
  terminal.note(`Playing the server of ${name}\nConnect clients to ${server.url}\nCtrl+C ends it.`);
  await new Promise<void>((done) => onAbort(signal, done));
  report(name, await server.close(), terminal);
}

/** Prints how the clients differed. @throws WorkbenchError `findings` if a client did. */
function report(name: string, { connections, problems }: ReplayOutcome, terminal: Terminal): void {
  for (const { message } of problems) terminal.note(message);
  if (problems.length > 0) {
    throw new WorkbenchError(
      'findings',
      `${problems.length} of ${connections} connections differ from ${name}.`,
      {
        hint: '--ignore NAME leaves out members that may differ, such as clientInfo. To play the client to a server, name it: --to URL, or its command after --.',
      },
    );
  }
  if (connections === 0) {
    terminal.note(`${name}: no client connected`);
    return;
  }
  terminal.note(`${name}: ${counted(connections, 'connection')}, all as recorded`);
}
