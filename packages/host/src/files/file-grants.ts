import { resolve } from 'node:path';
import {
  type Clock,
  constantsOf,
  isRecord,
  jsonIn,
  optionRules,
  requireOptions,
  systemClock,
} from '@tenon/foundation';
import { fileError, LockFile, PrivateFile } from '@tenon/foundation/node';
import type { JsonObject } from '@tenon/mcp-protocol';
import type { GrantStore } from '../access/grant-store.js';

/** Options of {@link fileGrants}. */
export interface FileGrantsOptions {
  readonly clock?: Clock;
}

const grantBounds = {
  /** Documents. One more is an error, because a refusal that is forgotten would be an allowance. */
  entries: 10_000,
  /** Bytes of the file. More is an error. */
  bytes: 4_194_304,
  /** Milliseconds to wait while another process writes. */
  lockWait: 15_000,
};

/**
 * Returns a store in one file that only the user can read, shared by any number of processes. A change is in the file as a whole or
 * not at all. Every method rejects with a FileError if the file cannot be used, is damaged, or would be larger than its bounds.
 * @throws TypeError or RangeError if an option is invalid.
 */
export function fileGrants(path: string, options: FileGrantsOptions = {}): GrantStore {
  if (typeof path !== 'string' || path === '') throw new TypeError('fileGrants(): the path is missing.');
  requireOptions('fileGrants()', options, { clock: optionRules.object });
  return new FileGrants(resolve(path), options);
}

type Documents = ReadonlyMap<string, JsonObject>;

class FileGrants implements GrantStore {
  readonly #path: string;
  readonly #most: typeof grantBounds;
  readonly #file: PrivateFile;
  readonly #lock: LockFile;
  /** Runs the changes of this instance one after the other, so that they do not wait for each other's lock. */
  #last: Promise<unknown> = Promise.resolve();
  /** The file at the last look: a text that is the same is not parsed again. */
  #seen: { readonly text: string; readonly documents: Documents } | undefined;

  constructor(path: string, options: FileGrantsOptions) {
    const { clock = systemClock } = options;
    this.#path = path;
    this.#most = constantsOf(grantBounds, options);
    const { bytes, lockWait } = this.#most;
    this.#file = new PrivateFile(path, { bytes, clock, afterDeletion: 'and answer again' });
    this.#lock = new LockFile(`${path}.lock`, { stale: 10_000, wait: lockWait, clock });
  }

  change(
    key: string,
    update: (value: JsonObject | undefined) => JsonObject | undefined,
  ): Promise<JsonObject | undefined> {
    const run = async () => {
      await this.#file.prepare();
      return this.#lock.hold(() => this.#change(key, update));
    };
    const change = this.#last.then(run, run);
    this.#last = change;
    return change;
  }

  async read(key: string): Promise<JsonObject | undefined> {
    return (await this.#documents()).get(key);
  }

  async #change(
    key: string,
    update: (value: JsonObject | undefined) => JsonObject | undefined,
  ): Promise<JsonObject | undefined> {
    const documents = new Map(await this.#documents());
    const before = JSON.stringify(documents.get(key));
    const value = update(documents.get(key));
    // What is unchanged need not be written.
    if (JSON.stringify(value) === before) return value;
    if (value === undefined) documents.delete(key);
    else documents.set(key, value);
    await this.#write(documents);
    return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
  }

  async #write(documents: Documents): Promise<void> {
    const { entries, bytes } = this.#most;
    const lines = [...documents].map((entry) => JSON.stringify(entry));
    const text = `{"format":${format},"documents":[\n${lines.join(',\n')}\n]}\n`;
    const size = Buffer.byteLength(text);
    if (documents.size <= entries && size <= bytes) return this.#file.write(text);
    const [is, most] = size > bytes ? [`${size} bytes`, bytes] : [`${documents.size} documents`, entries];
    throw fileError(`${this.#path} would have ${is}, and may have ${most}: nothing was remembered.`);
  }

  async #documents(): Promise<Documents> {
    const text = await this.#file.read();
    if (text === undefined) return new Map();
    if (text === this.#seen?.text) return this.#seen.documents;
    const documents = documentsIn(text);
    if (documents !== undefined) {
      this.#seen = { text, documents };
      return documents;
    }
    // Nothing may be forgotten, so a file that cannot be read is not replaced.
    throw fileError(
      `${this.#path} is damaged, or was written by a newer version of this program. Move it to another place; users are asked again then.`,
    );
  }
}

const format = 1;

function documentsIn(text: string): Documents | undefined {
  const content = jsonIn(text);
  if (!isRecord(content) || content.format !== format || !Array.isArray(content.documents)) return undefined;
  const entries: unknown[] = content.documents;
  return entries.every(isEntry) ? new Map(entries) : undefined;
}

function isEntry(value: unknown): value is [string, JsonObject] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && isRecord(value[1]);
}
