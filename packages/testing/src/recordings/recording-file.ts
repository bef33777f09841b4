import { appendFileSync, chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Redactor, redactorOf } from '@tenon/foundation/redaction';
import type { Speaker } from '../connections/tapped-connection.js';
import { withExpectationsEscaped } from './expectations.js';
import { withoutSecrets } from './redaction.js';
import { blockOf, closes, isInBlock, lastConnection, lineOf, opening } from './transcript.js';

const ownerOnly = 0o600;

/** Options of {@link record}. */
export interface RecordOptions {
  /**
   * Called with each message after secrets were removed; returns the message to write. False writes messages unchanged.
   * Secrets are values under names such as `authorization`, `password` or `apiKey`, and credentials in texts.
   */
  readonly redact?: false | Redactor;
}

/** Options of {@link openRecording}. */
export interface OpenRecordingOptions extends RecordOptions {
  /** True to add connections to an existing recording. Default: false, which replaces an existing file. */
  readonly append?: boolean;
}

/** The part of a recording for one connection. */
export interface ConnectionRecorder {
  /** The number of the connection in the file, from 1. */
  readonly connection: number;
  /** Writes a message: a JSON value, or the text of a message that is not valid JSON. Returns the message without secrets. */
  message(from: Speaker, message: unknown): unknown;
  /** Writes the end of the connection. @param by - the end that closed it */
  end(by: Speaker): void;
}

/** A recording that is being written. */
export interface OpenRecording {
  /** Begins the next connection. Connections may overlap. */
  connection(): ConnectionRecorder;
}

/**
 * Opens a recording for programs that see the messages themselves, such as a proxy. Everything is written synchronously, so that
 * a crash loses no message.
 * @throws the errors of the file system; SyntaxError if `append` names a file that is not a recording
 */
export function openRecording(file: string | URL, options: OpenRecordingOptions = {}): OpenRecording {
  const { append = false, ...rest } = options;
  return new RecordingFile(file, rest, append);
}

/** Writes the messages of connections to one file. */
class RecordingFile implements OpenRecording {
  readonly #file: string | URL;
  readonly #clean: Redactor;
  #connections = 0;
  #current = 0;

  constructor(file: string | URL, { redact }: RecordOptions, append: boolean) {
    this.#file = file;
    this.#clean = redactorOf(redact, withoutSecrets);
    if (append && existsSync(file)) this.#continue(readFileSync(file, 'utf8'));
    else {
      // Not all secrets can be recognized: the file is for its owner only, also if it has replaced one that was not.
      writeFileSync(file, opening, { mode: ownerOnly });
      chmodSync(file, ownerOnly);
    }
  }

  connection(): ConnectionRecorder {
    const connection = ++this.#connections;
    return {
      connection,
      message: (from, message) => {
        const clean = this.#clean(message);
        this.#write(connection, lineOf(from, withExpectationsEscaped(clean)));
        return clean;
      },
      end: (by) => {
        this.#write(connection, lineOf(by, closes));
        this.#endBlock();
      },
    };
  }

  #continue(text: string): void {
    this.#connections = lastConnection(text);
    // A program that crashed has left its last block open.
    const end = isInBlock(text) ? blockOf(1)[1] : '';
    appendFileSync(this.#file, text === '' || text.endsWith('\n') ? end : `\n${end}`);
  }

  #write(connection: number, line: string): void {
    let text = line;
    if (this.#current !== connection) {
      this.#endBlock();
      this.#current = connection;
      text = blockOf(connection)[0] + line;
    }
    // Synchronous: messages before a crash must be in the file.
    appendFileSync(this.#file, text);
  }

  #endBlock(): void {
    if (this.#current !== 0) appendFileSync(this.#file, blockOf(this.#current)[1]);
    this.#current = 0;
  }
}
