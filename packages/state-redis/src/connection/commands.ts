import { createHash } from 'node:crypto';
import { detach } from '@tenon/foundation';
import { StateError } from '@tenon/mcp-state';
import type { Link, Schedule } from './link.js';
import type { Wire } from './wire.js';

export interface CommandsSettings {
  readonly link: Link;
  /** Milliseconds that a call may take. */
  readonly timeout: number;
  /** Calls that may wait for an answer at the same time. */
  readonly calls: number;
  readonly schedule: Schedule;
}

/** Sends commands, each with a time limit. Every error is a {@link StateError}. */
export class Commands {
  readonly #settings: CommandsSettings;
  #waiting = 0;
  #closed = false;

  constructor(settings: CommandsSettings) {
    this.#settings = settings;
  }

  /** @throws StateError with reason `closed`. */
  requireOpen(): void {
    if (this.#closed) throw new StateError('closed', 'State: it was closed.');
  }

  close(): void {
    this.#closed = true;
  }

  /** @param key - the command goes to the node of this key. */
  send(key: string, command: readonly string[]): Promise<unknown> {
    return this.run(this.#settings.link, (wire) => wire.send(key, command));
  }

  publish(channel: string, text: string): Promise<unknown> {
    return this.run(this.#settings.link, (wire) => wire.publish(channel, text));
  }

  /** Runs a script by its digest. A server that does not know the script receives its text. */
  script(script: Script, keys: readonly [string, ...string[]], values: readonly string[]): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...values];
    return this.run(this.#settings.link, async (wire) => {
      try {
        return await wire.send(keys[0], ['EVALSHA', script.digest, ...rest]);
      } catch (error) {
        if (!isScriptMissing(error)) throw error;
        return wire.send(keys[0], ['EVAL', script.text, ...rest]);
      }
    });
  }

  /**
   * Calls a function with the wire of a link, within the time limit.
   * @throws StateError for every error.
   */
  async run<T>(link: Link, work: (wire: Wire) => Promise<T>): Promise<T> {
    this.requireOpen();
    const { calls, timeout, schedule } = this.#settings;
    if (this.#waiting >= calls)
      throw new StateError('unavailable', `State: ${calls} calls wait for Redis already.`);
    const current = link.current();
    this.#waiting += 1;
    const answer = (async () => work(current instanceof Promise ? await current : current))();
    // Counted until Redis answers, not until the time limit: a late answer needs memory as well.
    const settled = () => {
      this.#waiting -= 1;
    };
    detach(answer.then(settled), settled);
    let cancel = () => {};
    const late = new Promise<never>((_, reject) => {
      const message = `State: Redis did not answer within ${timeout} ms.`;
      cancel = schedule(() => reject(new StateError('unavailable', message)), timeout);
    });
    try {
      return await Promise.race([answer, late]);
    } catch (error) {
      this.requireOpen();
      if (isReadOnly(error)) link.reopen(error);
      throw redisError(error);
    } finally {
      cancel();
    }
  }
}

/** Returns the error of a call as a {@link StateError}. */
export function redisError(error: unknown): StateError {
  if (error instanceof StateError) return error;
  const text = error instanceof Error ? error.message : String(error);
  if (text.startsWith('OOM'))
    return new StateError('full', 'State: Redis has reached "maxmemory". Nothing was written.', {
      cause: error,
    });
  return new StateError('unavailable', `State: Redis did not carry out the call: ${text}`, { cause: error });
}

/** Returns true for the error of a master that has become a replica. */
export function isReadOnly(error: unknown): error is Error {
  return error instanceof Error && error.message.startsWith('READONLY');
}

/** A Lua script, and the digest under which a server knows it. */
export interface Script {
  readonly text: string;
  readonly digest: string;
}

/** Returns a script without its indentation. */
export function script(text: string): Script {
  const trimmed = text.replace(/^\s+/gm, '').trim();
  return { text: trimmed, digest: createHash('sha1').update(trimmed).digest('hex') };
}

/** Returns true for the error of a server that has not received the text of a script, or has forgotten it. */
export function isScriptMissing(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}
