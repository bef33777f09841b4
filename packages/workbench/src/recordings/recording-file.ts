import { chmodSync, existsSync, rmSync } from 'node:fs';
import type { Dialer } from '@tenon/mcp-client';
import {
  type ConnectionRecorder,
  type OpenRecording,
  type OpenRecordingOptions,
  openRecording,
  record,
  type Speaker,
} from '@tenon/mcp-testing/recordings';
import { lockFile, unlockFile, withFile } from './file-lock.js';

/** A message that passed a recorder, without secrets. */
export interface PassedMessage {
  /** The number of its connection in the recording. */
  readonly connection: number;
  readonly from: Speaker;
  readonly message: unknown;
}

/** The numbers of a recording. */
export interface RecordingSummary {
  readonly connections: number;
  /** Messages by the end that sent them. */
  readonly messages: Readonly<Record<Speaker, number>>;
}

/** Options of a recorder. */
export interface RecorderOptions extends OpenRecordingOptions {
  /** Called with each message after it was written. */
  readonly onMessage?: (passed: PassedMessage) => void;
}

/** Options of {@link RecordingFile}. */
interface RecordingFileOptions extends RecorderOptions {
  /** True to let other processes write the file whenever no connection is open. Default: until {@link RecordingFile.close}. */
  readonly isShared?: boolean;
}

/** A recording that counts its messages. No other process can write the file meanwhile. */
export class RecordingFile implements OpenRecording {
  readonly #file: string;
  readonly #options: RecordingFileOptions;
  #recording: OpenRecording | undefined;
  /** True if the file has no other connections. */
  readonly #isNew: boolean;
  #connections = 0;
  #open = 0;
  readonly #messages = { client: 0, server: 0 };

  /** @throws WorkbenchError `usage` if the file cannot be written, is not a recording, or is being written by another process */
  constructor(file: string, options: RecordingFileOptions) {
    this.#file = file;
    this.#options = options;
    this.#isNew = options.append !== true || !existsSync(file);
    this.#recording = this.#opened(options.append === true);
    if (options.isShared) this.close();
  }

  get summary(): RecordingSummary {
    return { connections: this.#connections, messages: { ...this.#messages } };
  }

  /** Releases the file for other processes. Removes a new file without messages. */
  close(): void {
    this.#recording = undefined;
    const { client, server } = this.#messages;
    if (this.#isNew && client + server === 0) rmSync(this.#file, { force: true });
    unlockFile(this.#file);
  }

  connection(): ConnectionRecorder {
    // Another process may have added connections since the last one.
    this.#recording ??= this.#opened(true);
    const recorder = this.#recording.connection();
    const { connection } = recorder;
    this.#connections++;
    this.#open++;
    let isOver = false;
    return {
      connection,
      message: (from, message) => {
        const clean = withFile(this.#file, () => recorder.message(from, message));
        this.#messages[from]++;
        this.#options.onMessage?.({ connection, from, message: clean });
        return clean;
      },
      end: (by) => {
        if (isOver) return;
        isOver = true;
        this.#open--;
        withFile(this.#file, () => recorder.end(by));
        if (this.#open === 0 && this.#options.isShared) this.close();
      },
    };
  }

  #opened(append: boolean): OpenRecording {
    const { redact } = this.#options;
    return withFile(this.#file, () => {
      lockFile(this.#file);
      const recording = openRecording(this.#file, { append, ...(redact !== undefined && { redact }) });
      // A file with secrets is for its owner only.
      if (redact === false) chmodSync(this.#file, 0o600);
      return recording;
    });
  }
}

/**
 * Returns the option `wrap` of `openServer` that records the messages of a client. An existing recording gets further connections.
 * @throws WorkbenchError `usage` if the file cannot be written, or is not a recording.
 */
export function recordingWrap(file: string, options: RecorderOptions = {}): (dialer: Dialer) => Dialer {
  const recording = new RecordingFile(file, { append: true, isShared: true, ...options });
  return (dialer) => record(dialer, recording);
}
