import { requireOptions } from '@tenon/foundation';
import type { ConnectionFactory, Dialer } from '@tenon/mcp-client';
import type { Connection } from '@tenon/mcp-protocol';
import { type Tap, TappedConnection } from '../connections/tapped-connection.js';
import { recordedAttempt } from './recorded-attempt.js';
import { type OpenRecording, openRecording, type RecordOptions } from './recording-file.js';

/**
 * Writes all messages of a target for `connect`, or of a connection for `server[serverPort].accept`, to a Markdown file that people can
 * read and `replay` can play. Replaces an existing file. Removes secrets.
 * @throws the errors of the file system; TypeError if the argument is neither a target nor a connection
 */
export function record(
  target: ConnectionFactory | Dialer,
  file: string | URL | OpenRecording,
  options?: RecordOptions,
): Dialer;
export function record(
  connection: Connection,
  file: string | URL | OpenRecording,
  options?: RecordOptions,
): Connection;
export function record(
  subject: ConnectionFactory | Dialer | Connection,
  file: string | URL | OpenRecording,
  options: RecordOptions = {},
): Dialer | Connection {
  const target = typeof subject === 'function' ? { open: subject, restartable: true } : subject;
  if (typeof target === 'object' && target !== null) {
    if ('open' in target) return recordedDialer(target, recordingOf(file, options));
    if ('start' in target) return recordedConnection(target, recordingOf(file, options));
  }
  throw new TypeError(
    'record() needs a Connection, a function that makes one, or a target such as memoryTarget(server), httpTarget(url) or stdioTarget({ command }).',
  );
}

function recordingOf(file: string | URL | OpenRecording, options: RecordOptions): OpenRecording {
  // redactorOf checks the function itself.
  requireOptions('record', options, { redact: { is: 'false, or a function', allows: () => true } });
  return typeof file === 'object' && 'connection' in file ? file : openRecording(file, options);
}

function recordedConnection(connection: Connection, recording: OpenRecording): Connection {
  const recorder = recording.connection();
  const tap: Tap = {
    frame: (from, message) => recorder.message(from, message),
    ended: (by) => recorder.end(by),
  };
  return new TappedConnection(connection, 'server', tap);
}

function recordedDialer(dialer: Dialer, recording: OpenRecording): Dialer {
  return {
    ...dialer,
    open: async () => new TappedConnection(await dialer.open(), 'client', recordedAttempt(recording)),
    ...(dialer.older !== undefined && {
      older: async () => recordedDialer((await dialer.older?.()) as Dialer, recording),
    }),
  };
}
