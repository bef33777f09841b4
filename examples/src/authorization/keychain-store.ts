// A store for tokens in the keychain of the system.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuthStore, StoredEntry } from '@tenon/mcp-auth/client';
import { FileAuthStore } from '@tenon/mcp-auth/desktop';

// In a real program, a package that uses the keychain of the system.
const secrets = new Map<string, string>();
const keychain = {
  read: async (name: string) => secrets.get(name),
  write: async (name: string, secret: string) => void secrets.set(name, secret),
  remove: async (name: string) => void secrets.delete(name),
};
const folder = await mkdtemp(join(tmpdir(), 'keychain-store-')); // in a real program, a folder of its own

// #region store
class KeychainStore implements AuthStore {
  /** Locks between processes, which keychains do not have. Nothing is stored in this file. */
  readonly #locks = new FileAuthStore({ path: join(folder, 'my-agent') });

  async get(key: string): Promise<StoredEntry | undefined> {
    const text = await keychain.read(`my-agent ${key}`);
    return text === undefined ? undefined : JSON.parse(text);
  }

  swap(key: string, version: string | undefined, value: StoredEntry['value'] | undefined): Promise<boolean> {
    return this.exclusively(`swap:${key}`, async () => {
      if ((await this.get(key))?.version !== version) return false;
      const name = `my-agent ${key}`;
      if (value === undefined) await keychain.remove(name);
      else await keychain.write(name, JSON.stringify({ value, version: crypto.randomUUID() }));
      return true;
    });
  }

  exclusively<T>(key: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#locks.exclusively(key, task, signal);
  }
}
// #endregion

const store = new KeychainStore();
console.log('written:', await store.swap('tokens:1', undefined, { accessToken: 'first' }));
const kept = await store.get('tokens:1');
const both = [
  store.swap('tokens:1', kept?.version, { accessToken: 'second' }),
  store.swap('tokens:1', kept?.version, { accessToken: 'third' }),
];
const done = (await Promise.all(both)).filter((isDone) => isDone);
console.log('of two at the same time:', done.length);
await rm(folder, { recursive: true });
