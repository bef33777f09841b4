import type { Speaker, Tap } from '../connections/tapped-connection.js';
import type { ConnectionRecorder, OpenRecording } from './recording-file.js';

/**
 * A connection that is written with the first message of the server, or when it is accepted: a client tries revisions and transports,
 * and only attempts with an effect are a session.
 */
export class DeferredRecorder implements ConnectionRecorder {
  readonly #recording: OpenRecording;
  #recorder: ConnectionRecorder | undefined;
  #waiting: unknown[] = [];

  constructor(recording: OpenRecording) {
    this.#recording = recording;
  }

  /** True if the connection is in the recording. */
  get isAccepted(): boolean {
    return this.#recorder !== undefined;
  }

  /** True if messages of the client wait. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  get connection(): number {
    return this.accept().connection;
  }

  message(from: Speaker, message: unknown): unknown {
    if (from === 'server' || this.isAccepted) return this.accept().message(from, message);
    this.#waiting.push(message);
    return message;
  }

  end(by: Speaker): void {
    this.#waiting = [];
    this.#recorder?.end(by);
  }

  /** Writes the messages so far, and each later one at once. */
  accept(): ConnectionRecorder {
    this.#recorder ??= this.#recording.connection();
    for (const message of this.#waiting.splice(0)) this.#recorder.message('client', message);
    return this.#recorder;
  }

  /** Drops messages that wait: those that the server refused, or that could not be delivered. */
  drop(isDropped: (message: unknown) => boolean = () => true): void {
    this.#waiting = this.#waiting.filter((message) => !isDropped(message));
  }
}

/** Records one connection of a client. Messages without an answer are written at the end, except those that were not delivered. */
export function recordedAttempt(recording: OpenRecording): Tap {
  const recorder = new DeferredRecorder(recording);
  return {
    frame: (from, message) => recorder.message(from, message),
    undelivered: (message) => recorder.drop((one) => one === message),
    ended: (by) => {
      if (recorder.isWaiting) recorder.accept();
      recorder.end(by);
    },
  };
}
