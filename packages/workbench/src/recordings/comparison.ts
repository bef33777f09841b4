import { writeFileSync } from 'node:fs';
import { unlessAborted } from '@tenon/foundation';
import type { AuthProvider } from '@tenon/mcp-client';
import { callName, subjectOf } from '@tenon/mcp-protocol/internal';
import { type Difference, type RecordedMessage, readRecording } from '@tenon/mcp-testing/recordings';
import { dialerOf } from '../connections/open-server.js';
import type { ServerTarget } from '../connections/server-target.js';
import { WorkbenchError } from '../failures/workbench-error.js';
import { failureOfFile, withFile } from './file-lock.js';
import { liveServer } from './live-server.js';
import { replayOf } from './replayed-server.js';

/** Options of {@link compareWithRecording}. */
interface RecordingCompareOptions {
  readonly file: string;
  /** Names of members that are not compared, at any depth. */
  readonly ignore?: readonly string[];
  /** Milliseconds to wait for a recorded message. Default 10,000. */
  readonly patience?: number;
  /** True to replace the recorded messages that differ. */
  readonly update?: boolean;
  readonly auth?: AuthProvider | undefined;
  readonly onStderr?: (line: string) => void;
  /** Ends the comparison: it rejects with the reason. */
  readonly signal: AbortSignal;
}

/** A difference, and the request that it is about. */
export interface ReportedDifference extends Difference {
  /** The method and the name of the request or notification, such as `tools/call forecast`. */
  readonly about: string;
}

/** The outcome of a comparison. */
export interface ComparisonReport {
  /** The number of messages of the server that were compared. */
  readonly compared: number;
  readonly differences: readonly ReportedDifference[];
}

/**
 * Plays the client of a recording to a live server, over any transport, and returns all differences of the server's messages.
 * @throws WorkbenchError `usage` if the file cannot be played; the errors of the transport if the server cannot be reached
 */
export async function compareWithRecording(
  target: ServerTarget,
  options: RecordingCompareOptions,
): Promise<ComparisonReport> {
  const { file, ignore = [], patience = 10_000, update = false, auth, onStderr, signal } = options;
  const replay = replayOf(file, { ignore, patience });
  const messages = withFile(file, () => readRecording(file));
  if (
    !messages.some((steps) => steps.some(({ from, message }) => from === 'server' && message !== undefined))
  )
    throw new WorkbenchError('usage', `${file} has no messages of a server to compare.`);
  const server = liveServer(await dialerOf(target, { auth, onStderr }));
  signal.throwIfAborted();
  const { compared, differences, updated } = await unlessAborted(replay.compare(server), signal)
    .catch((error: unknown) => {
      throw error instanceof SyntaxError ? failureOfFile(file, error) : error;
    })
    .finally(() => server.close());
  if (compared === 0 && server.failure !== undefined) throw server.failure;
  if (update && differences.length > 0) writeFileSync(file, updated());
  const subjects = new Subjects(messages);
  return {
    compared,
    differences: differences.map((one) => ({
      ...one,
      ...(one.kind === 'missing' &&
        server.failure !== undefined && { details: [...one.details, server.failure.message] }),
      about: subjects.of(one),
    })),
  };
}

/** Finds the requests that recorded responses answer. */
class Subjects {
  readonly #byLine = new Map<number, string>();

  constructor(connections: readonly (readonly RecordedMessage[])[]) {
    for (const steps of connections) {
      const requests = new Map<string, string>();
      for (const { line, from, message } of steps) {
        const { id, method } = (message ?? {}) as { id?: unknown; method?: unknown };
        const other = from === 'client' ? 'server' : 'client';
        if (method !== undefined) requests.set(`${from} ${JSON.stringify(id)}`, describeMessage(message));
        const about =
          method === undefined ? requests.get(`${other} ${JSON.stringify(id)}`) : describeMessage(message);
        this.#byLine.set(line, about ?? 'a message');
      }
    }
  }

  of({ line, came }: Difference): string {
    return (line === undefined ? undefined : this.#byLine.get(line)) ?? describeMessage(came);
  }
}

/** Returns the method and the name or URI of a message. */
function describeMessage(message: unknown): string {
  const { method, params, id } = (message ?? {}) as { method?: unknown; params?: unknown; id?: unknown };
  if (typeof method !== 'string')
    return id === undefined ? 'a message' : `a response with the id ${String(id)}`;
  return callName(method, subjectOf(params));
}
