import type { Speaker, Tap } from '../connections/tapped-connection.js';
import type { OpenRecording } from './recording-file.js';

/**
 * Records one connection of a client. Messages before the first answer are written with that answer or at the end, without those
 * that the transport could not deliver: a client tries revisions and transports, and only attempts with an effect are a session.
 */
export class RecordedAttempt implements Tap {
  readonly #recording: OpenRecording;
  #recorder: ReturnType<OpenRecording['connection']> | undefined;
  #waiting: unknown[] = [];

  constructor(recording: OpenRecording) {
    this.#recording = recording;
  }

  frame(from: Speaker, message: unknown): void {
    if (from === 'client' && this.#recorder === undefined) this.#waiting.push(message);
    else this.#begun().message(from, message);
  }

  undelivered(message: unknown): void {
    this.#waiting = this.#waiting.filter((one) => one !== message);
  }

  ended(by: Speaker): void {
    if (this.#recorder !== undefined || this.#waiting.length > 0) this.#begun().end(by);
  }

  #begun(): ReturnType<OpenRecording['connection']> {
    this.#recorder ??= this.#recording.connection();
    for (const message of this.#waiting) this.#recorder.message('client', message);
    this.#waiting = [];
    return this.#recorder;
  }
}
