import { resolve } from 'node:path';
import { isRecord, jsonIn, systemClock } from '@tenon/foundation';
import { fileError, LockFile, PrivateFile } from '@tenon/foundation/node';
import type { Keychain } from '../vault/keychain.js';

/** Bytes of the file, at most. */
const longest = 1_048_576;

/**
 * Returns the secrets of a file that only the user can read: a JSON object with texts. Each method rejects with a FileError if the
 * file cannot be used, or if other users can read it. Several processes may change it.
 * @param path - of the file; a missing file has no secrets, and is made by `set`.
 */
export function secretFile(path: string): Required<Keychain> {
  if (typeof path !== 'string' || path === '') throw new TypeError('secretFile(): the path is missing.');
  return new SecretFile(resolve(path));
}

class SecretFile implements Required<Keychain> {
  readonly #path: string;
  readonly #file: PrivateFile;
  readonly #lock: LockFile;

  constructor(path: string) {
    const clock = systemClock;
    this.#path = path;
    this.#file = new PrivateFile(path, { bytes: longest, clock, afterDeletion: 'and replace its secrets' });
    this.#lock = new LockFile(`${path}.lock`, { stale: 10_000, wait: 15_000, clock });
  }

  async get(name: string): Promise<string | undefined> {
    return (await this.#secrets()).get(name);
  }

  set(name: string, secret: string): Promise<void> {
    return this.#change((secrets) => secrets.set(name, secret));
  }

  delete(name: string): Promise<void> {
    return this.#change((secrets) => secrets.delete(name));
  }

  async #change(change: (secrets: Map<string, string>) => unknown): Promise<void> {
    await this.#file.prepare();
    await this.#lock.hold(async () => {
      const secrets = await this.#secrets();
      change(secrets);
      const text = `${JSON.stringify(Object.fromEntries(secrets), undefined, 2)}\n`;
      if (Buffer.byteLength(text) > longest)
        throw fileError(`${this.#path} would be larger than ${longest} bytes: nothing was changed.`);
      await this.#file.write(text);
    });
  }

  async #secrets(): Promise<Map<string, string>> {
    const secrets = secretsIn((await this.#file.read()) ?? '{}');
    if (secrets !== undefined) return secrets;
    throw fileError(`${this.#path} is not a JSON object of texts: correct it, or choose another path.`);
  }
}

function secretsIn(text: string): Map<string, string> | undefined {
  // Without the error of the parser, which quotes the text.
  const content = jsonIn(text);
  const isTexts = isRecord(content) && Object.values(content).every((one) => typeof one === 'string');
  return isTexts ? new Map(Object.entries(content) as [string, string][]) : undefined;
}
