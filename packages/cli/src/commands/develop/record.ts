import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { onAbort } from '@tenon/foundation';
import { callName, subjectOf } from '@tenon/mcp-protocol/internal';
import { type CommandServer, describeTarget, type UrlServer, WorkbenchError } from '@tenon/mcp-workbench';
import {
  type PassedMessage,
  type RecorderOptions,
  type RecordingSummary,
  recordHttp,
  recordStdio,
} from '@tenon/mcp-workbench/recordings';
import type { CommandLine } from '../../context.js';
import { chosenServer } from '../../server/chosen-server.js';
import type { ServerOptions } from '../../server/server-options.js';
import type { Terminal } from '../../terminal/terminal.js';
import { counted } from '../../terminal/texts.js';

/** The options of `tenon record`. */
interface RecordOptions extends ServerOptions {
  readonly port?: number;
  readonly append?: true;
  readonly force?: true;
  /** False: secrets are written. */
  readonly redact: boolean;
  readonly verbose?: true;
}

type RecordLine = CommandLine<RecordOptions>;

/** The file and the settings of a recorder. */
interface Recording extends RecorderOptions {
  readonly file: string;
}

/** Records a session until an end closes it, or until Ctrl+C. */
export async function runRecord(line: RecordLine): Promise<void> {
  const { terminal, options } = line;
  const [name = '', ...server] = line.words;
  const { target } = await chosenServer(server, options, line);
  const file = resolve(terminal.source.cwd, name);
  const { append, force, redact, verbose } = options;
  if (existsSync(file) && !append && !force) {
    throw new WorkbenchError('usage', `${name} exists already.`, {
      hint: '--append adds to the recording, and --force replaces the file.',
    });
  }
  if (!redact)
    terminal.note(warning(terminal, `${name} will contain secrets: read the file before you share it.`));
  const recording: Recording = {
    file,
    ...(append && { append }),
    ...(!redact && { redact: false as const }),
    ...(verbose && { onMessage: (passed) => terminal.note(describeMessage(passed, terminal)) }),
  };
  const summary =
    target.kind === 'command'
      ? await runStdio(recording, target, line)
      : await runHttp(recording, target, line);
  // Over stdio, stdout belongs to the client.
  if (options.json && target.kind === 'url') terminal.printJson({ file: name, ...summary });
  else if (options.json) terminal.noteJson({ file: name, ...summary });
  else terminal.note(`${name}: ${describeSummary(summary)}`);
}

async function runStdio(
  recording: Recording,
  target: CommandServer,
  { terminal, signal }: RecordLine,
): Promise<RecordingSummary> {
  const { input, output, env } = terminal.source;
  if (input.isTTY === true) {
    terminal.note(
      `Recording ${describeTarget(target)}\nA client starts this command and speaks to it on stdin. Ctrl+C ends it.`,
    );
  }
  // The variables that a client sets are for the server.
  const inherited = Object.fromEntries(
    Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  const server = { ...target, env: { ...inherited, ...target.env } };
  const { failure, ...summary } = await recordStdio({
    ...recording,
    server,
    input,
    output,
    error: terminal.errorText(),
    signal,
  });
  if (failure !== undefined) {
    terminal.note(describeSummary(summary));
    throw new WorkbenchError('unreachable', failure.message, { cause: failure });
  }
  return summary;
}

async function runHttp(
  recording: Recording,
  { url, headers }: UrlServer,
  { terminal, signal, options }: RecordLine,
): Promise<RecordingSummary> {
  const proxy = await recordHttp({
    ...recording,
    url,
    ...(headers !== undefined && { headers }),
    ...(options.port !== undefined && { port: options.port }),
    onProblem: (problem) => terminal.note(warning(terminal, problem)),
  });
  const { origin, pathname } = new URL(url);
  terminal.note(
    `Recording ${origin}${pathname}\nConnect clients to ${proxy.url}\nCtrl+C ends the recording.`,
  );
  await new Promise<void>((done) => onAbort(signal, done));
  await proxy.close();
  return proxy.summary;
}

function warning({ paintError }: Terminal, text: string): string {
  return `${paintError(['yellow', 'bold'], 'warning:')} ${text}`;
}

function describeSummary({ connections, messages }: RecordingSummary): string {
  const { client, server } = messages;
  if (client + server === 0) return 'nothing was recorded';
  const sessions = counted(connections, 'connection');
  return `${sessions}, ${counted(client + server, 'message')} (${client} from clients, ${server} from the server)`;
}

/** Returns one line about a message. */
function describeMessage({ connection, from, message }: PassedMessage, { paintError }: Terminal): string {
  const arrow = from === 'client' ? paintError('cyan', '→') : paintError('green', '←');
  const list = Array.isArray(message) ? message : [message];
  return `${paintError('dim', `${connection}`)} ${arrow} ${list.map(describeOne).join(', ')}`;
}

function describeOne(message: unknown): string {
  if (typeof message !== 'object' || message === null)
    return `not a message: ${String(message).slice(0, 200)}`;
  const { id, method, params, error } = message as Readonly<Record<string, unknown>>;
  const number = id === undefined ? '' : ` #${String(id)}`;
  if (typeof method === 'string') return callName(method, subjectOf(params)) + number;
  if (error === undefined) return `result${number}`;
  return `error${number}: ${String((error as { message?: unknown }).message)}`;
}
