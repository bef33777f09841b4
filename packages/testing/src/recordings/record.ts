import { appendFileSync, writeFileSync } from 'node:fs';
import type { ConnectionFactory, Dialer } from '@tenon/mcp-client';
import type { Connection } from '@tenon/mcp-protocol';
import { requireOptions } from '@tenon/mcp-session/internal';
import { type Redactor, redactorOf } from '@tenon/redaction';
import { type Speaker, type Tap, TappedConnection } from '../connections/tapped-connection.js';
import { withoutSecrets } from './redaction.js';
import { blockOf, closes, lineOf, opening } from './transcript.js';

/** Options of {@link record}. */
export interface RecordOptions {
  /**
   * Called with each message after secrets were removed; returns the message to write. False writes messages unchanged.
   * Secrets are values under names such as `authorization`, `password` or `apiKey`, and credentials in texts.
   */
  readonly redact?: false | Redactor;
}

/** One recorder for all connections of a target. */
class Recorder {
  readonly #file: string | URL;
  readonly #clean: Redactor;
  #connections = 0;
  #current = 0;

  constructor(file: string | URL, options: RecordOptions) {
    // redactorOf checks the function itself.
    requireOptions('record', options, { redact: { is: 'false, or a function', allows: () => true } });
    this.#file = file;
    this.#clean = redactorOf(options.redact, withoutSecrets);
    writeFileSync(file, opening);
  }

  tapped(connection: Connection, own: Speaker): Connection {
    const number = ++this.#connections;
    const tap: Tap = {
      frame: (from, message) => this.#write(number, lineOf(from, this.#clean(message))),
      ended: (by) => {
        this.#write(number, lineOf(by, closes));
        this.#endBlock();
      },
    };
    return new TappedConnection(connection, own, tap);
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

/**
 * Writes all messages of a target for `connect`, or of a connection for `server.accept`, to a Markdown file that people can
 * read and `replay` can play. Replaces an existing file. Removes secrets.
 * @throws the errors of the file system; TypeError if the argument is neither a target nor a connection
 */
export function record(
  target: ConnectionFactory | Dialer,
  file: string | URL,
  options?: RecordOptions,
): Dialer;
export function record(connection: Connection, file: string | URL, options?: RecordOptions): Connection;
export function record(
  subject: ConnectionFactory | Dialer | Connection,
  file: string | URL,
  options: RecordOptions = {},
): Dialer | Connection {
  const target = typeof subject === 'function' ? { open: subject, restartable: true } : subject;
  if (typeof target === 'object' && target !== null) {
    if ('open' in target) return recordedDialer(target, new Recorder(file, options));
    if ('start' in target) return new Recorder(file, options).tapped(target, 'server');
  }
  throw new TypeError(
    'record() needs a Connection, a function that makes one, or a target such as memoryTarget(server), httpTarget(url) or stdioTarget({ command }).',
  );
}

function recordedDialer(dialer: Dialer, recorder: Recorder): Dialer {
  return {
    ...dialer,
    open: async () => recorder.tapped(await dialer.open(), 'client'),
    ...(dialer.older !== undefined && {
      older: async () => recordedDialer((await dialer.older?.()) as Dialer, recorder),
    }),
  };
}
