import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { follow, jsonIn, onAbort } from '@tenon/foundation';
import type { Speaker } from '@tenon/mcp-testing/recordings';
import {
  childFailure,
  endWithThisProcess,
  LineReader,
  launch,
  processGroup,
  realDelay,
  reapLeader,
  reapSurvivors,
  within,
} from '@tenon/mcp-transport-stdio/child/internal';
import type { CommandServer } from '../connections/server-target.js';
import { WorkbenchError } from '../failures/workbench-error.js';
import { type RecorderOptions, RecordingFile, type RecordingSummary } from './recording-file.js';

/** The two ends of a recording proxy over stdio. */
interface StdioProxyOptions extends RecorderOptions {
  /** The file to write. */
  readonly file: string;
  /** The command of the server. Its `env` is passed in addition to a few inherited variables. */
  readonly server: CommandServer;
  /** Bytes from the client. */
  readonly input: Readable;
  /** Bytes to the client. */
  readonly output: Writable;
  /** Receives the bytes that the server prints on stderr. */
  readonly error: Writable;
  /** Ends the session. */
  readonly signal: AbortSignal;
}

/** The outcome of a recorded session over stdio. */
interface StdioProxyOutcome extends RecordingSummary {
  /** The reason, if the server ended the session or exited with a code other than 0. */
  readonly failure?: Error;
}

/** Bytes of the longest message that is recorded; longer ones are passed on, and the recording has their beginning. */
const mostLineBytes = 64 << 20;

const waits = { closeWaitMs: 2_000, terminateWaitMs: 2_000, killWaitMs: 1_000 };

/**
 * Starts a server and passes all bytes between the server and a client unchanged, until either end closes. Messages are in the file
 * before they are passed on.
 * @throws WorkbenchError `usage` if the file cannot be written; TransportError if the system has no process left
 */
export async function recordStdio(options: StdioProxyOptions): Promise<StdioProxyOutcome> {
  const { file, server, input, output, error, signal, ...rest } = options;
  const recording = new RecordingFile(file, rest);
  const child = launch(server, 'pipe');
  const group = child.process.pid === undefined ? undefined : processGroup(child.process.pid);
  const disown = group === undefined ? () => {} : endWithThisProcess(group);
  child.stderr?.pipe(error, { end: false });
  const recorder = recording.connection();
  const tap = (from: Speaker) => new LineTap((message) => recorder.message(from, message));
  let endedBy: Speaker | undefined;
  let broken: unknown;
  const fromServer = pass(child.stdout, output, tap('server'));
  const ended = new Promise<void>((resolve) => {
    const endBy = (speaker: Speaker) => () => {
      endedBy ??= speaker;
      resolve();
    };
    const fromClient = pass(input, child.stdin, tap('client'));
    const failing = (speaker: Speaker) => (error: unknown) => {
      broken ??= error;
      endBy(speaker)();
    };
    follow(fromServer, endBy('server'), failing('client'));
    follow(fromClient, endBy('client'), failing('server'));
    follow(child.exited, endBy('server'), endBy('server'));
    onAbort(signal, endBy('client'));
  });
  await ended;
  child.stdin.end();
  if (group !== undefined) {
    // The server may still answer: its output is passed on until it exits.
    const reapable = { exited: child.exited, group, waits, delay: realDelay };
    await reapLeader(reapable);
    await within(fromServer, waits.closeWaitMs, realDelay);
    await reapSurvivors(reapable);
  }
  disown();
  const exit = await child.exited;
  input.destroy();
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
  // The recording could not be written.
  if (broken instanceof WorkbenchError) throw broken;
  recorder.end(endedBy ?? 'server');
  recording.close();
  const { summary } = recording;
  const hasFailed = exit.code !== null && exit.code !== 0 && !signal.aborted;
  if (endedBy !== 'server' && !hasFailed) return summary;
  const { command, args, cwd } = server;
  const hasReceived = summary.messages.server > 0;
  // The proxy passed all output on.
  const received = { hasReceived, strayLines: [], stderr: [] };
  return { ...summary, failure: childFailure({ command, args, cwd, exit, ...received }) };
}

/** Records the lines of a stream of bytes. */
class LineTap {
  readonly #lines = new LineReader(mostLineBytes);
  readonly #record: (message: unknown) => void;

  constructor(record: (message: unknown) => void) {
    this.#record = record;
  }

  push(chunk: Buffer): void {
    this.#lines.push(chunk);
    this.#read();
  }

  end(): void {
    this.#lines.end();
    this.#read();
  }

  #read(): void {
    for (let line = this.#lines.next(); line !== undefined; line = this.#lines.next())
      this.#record(typeof line === 'string' ? jsonIn(line, line) : `${line.problem} It begins: ${line.text}`);
  }
}

/** Passes bytes on, each chunk after it was recorded. Resolves at the end of the source; rejects if the destination breaks. */
async function pass(from: Readable, to: Writable, tap: LineTap): Promise<void> {
  const broken = new Promise<never>((_, reject) => {
    to.once('error', reject);
    to.once('close', () => reject(new Error('closed')));
  });
  broken.catch(() => {});
  try {
    for await (const chunk of from as AsyncIterable<Buffer | string>) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      tap.push(bytes);
      if (!to.write(bytes)) await Promise.race([once(to, 'drain'), broken]);
    }
  } finally {
    tap.end();
  }
}
