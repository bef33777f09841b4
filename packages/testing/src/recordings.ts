import { readFileSync } from 'node:fs';
import type { Speaker } from './connections/tapped-connection.js';
import { closes, type RecordedConnection, readTranscript } from './recordings/transcript.js';

export type { Speaker } from './connections/tapped-connection.js';
export type { Comparison } from './recordings/comparison.js';
export { type Difference, ReplayError } from './recordings/playback.js';
export { record } from './recordings/record.js';
export { DeferredRecorder } from './recordings/recorded-attempt.js';
export {
  type ConnectionRecorder,
  type OpenRecording,
  type OpenRecordingOptions,
  openRecording,
  type RecordOptions,
} from './recordings/recording-file.js';
export { type Replay, type ReplayOptions, replay } from './recordings/replay.js';

/** One message or event of a recorded connection. */
export interface RecordedMessage {
  /** Line in the file, from 1. */
  readonly line: number;
  readonly from: Speaker;
  /** The message; its text if it is not valid JSON; undefined if this end closed the connection. */
  readonly message: unknown;
}

/**
 * Reads a recording, to analyse its messages.
 * @returns the connections in order, and the messages of each.
 * @throws SyntaxError with the line that cannot be read; the errors of the file system
 */
export function readRecording(file: string | URL): readonly (readonly RecordedMessage[])[] {
  return readTranscript(readFileSync(file, 'utf8')).map(messagesOf);
}

function messagesOf(steps: RecordedConnection): readonly RecordedMessage[] {
  return steps.map(({ line, from, message }) => ({
    line,
    from,
    message: message === closes ? undefined : message,
  }));
}
