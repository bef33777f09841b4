import { PassThrough } from 'node:stream';
import { runCli } from '../src/run-cli.js';

/** The circumstances of a run. */
export interface RunOptions {
  /** The text on stdin. */
  readonly input?: string;
  /** True if the streams are terminals. Default: false. */
  readonly tty?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly signal?: AbortSignal;
  /** Receives all that stdout has so far, whenever there is more. */
  readonly onStdout?: (stdout: string) => void;
  /** Receives all that stderr has so far, whenever there is more. */
  readonly onStderr?: (stderr: string) => void;
  /** Replaces the browser of the user. */
  readonly openUrl?: (url: string) => void | Promise<void>;
}

/** The outcome of a run. */
export interface RunOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `tenon` in this process, with streams of its own. */
export async function runTenon(words: readonly string[], options: RunOptions = {}): Promise<RunOutcome> {
  const { input = '', tty = false, env = {}, cwd = process.cwd() } = options;
  const { signal = new AbortController().signal, onStdout, onStderr } = options;
  const streams = [new PassThrough(), new PassThrough(), new PassThrough()] as const;
  const [stdin, stdout, stderr] = streams.map((stream) =>
    Object.assign(stream, { isTTY: tty, columns: 100, setRawMode: () => stream }),
  );
  if (stdin === undefined || stdout === undefined || stderr === undefined) throw new Error('unreachable');
  stdin.end(input);
  const printed = [stdout, stderr].map((stream) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    return () => Buffer.concat(chunks).toString();
  });
  stdout.on('data', () => onStdout?.(printed[0]?.() ?? ''));
  stderr.on('data', () => onStderr?.(printed[1]?.() ?? ''));
  const { openUrl } = options;
  const code = await runCli(words, {
    ...{ input: stdin, output: stdout, error: stderr, env, cwd, signal },
    ...(openUrl !== undefined && { openUrl }),
  });
  const [out = () => '', err = () => ''] = printed;
  return { code, stdout: out(), stderr: err() };
}
