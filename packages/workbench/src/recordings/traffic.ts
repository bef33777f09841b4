import {
  type ConnectionRecorder,
  type OpenRecording,
  type OpenRecordingOptions,
  openRecording,
  type Speaker,
} from '@tenon/mcp-testing/recordings';

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

/** A recording that counts its messages. */
export class Traffic implements OpenRecording {
  readonly #recording: OpenRecording;
  readonly #onMessage: (passed: PassedMessage) => void;
  #connections = 0;
  readonly #messages = { client: 0, server: 0 };

  /** @throws the errors of the file system; SyntaxError if `append` names a file that is no recording */
  constructor(file: string, { onMessage, ...options }: RecorderOptions) {
    this.#recording = openRecording(file, options);
    this.#onMessage = onMessage ?? (() => {});
  }

  get summary(): RecordingSummary {
    return { connections: this.#connections, messages: { ...this.#messages } };
  }

  connection(): ConnectionRecorder {
    const recorder = this.#recording.connection();
    const { connection } = recorder;
    this.#connections++;
    let isOver = false;
    return {
      connection,
      message: (from, message) => {
        const clean = recorder.message(from, message);
        this.#messages[from]++;
        this.#onMessage({ connection, from, message: clean });
        return clean;
      },
      end: (by) => {
        if (!isOver) recorder.end(by);
        isOver = true;
      },
    };
  }
}

/** Returns the value of a text; the text itself if it is not valid JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
