import type { Kept } from '../src/client/auth-store.js';
import type { PageEntry, PageStore } from '../src/server/pages/page-store.js';

/** A store somewhere else, whose readers can be made to read the same before any of them goes on. It forgets nothing by itself. */
export class CrowdedPageStore implements PageStore {
  readonly #entries = new Map<string, Kept>();
  #changes = 0;
  #crowd = 0;
  #waiting: (() => void)[] = [];

  /** The next so many reads wait for each other. */
  crowd(readers: number): void {
    this.#crowd = readers;
  }

  async get(key: string): Promise<Kept | undefined> {
    const kept = this.#entries.get(key);
    if (this.#crowd > 0) {
      const arrived = new Promise<void>((resolve) => this.#waiting.push(resolve));
      if (this.#waiting.length === this.#crowd) {
        const waiting = this.#waiting;
        this.#waiting = [];
        this.#crowd = 0;
        for (const go of waiting) go();
      }
      await arrived;
    }
    return kept;
  }

  async swap(key: string, version: string | undefined, entry: PageEntry | undefined): Promise<boolean> {
    if (this.#entries.get(key)?.version !== version) return false;
    this.#entries.delete(key);
    this.#changes += 1;
    if (entry !== undefined) this.#entries.set(key, { value: entry.value, version: String(this.#changes) });
    return true;
  }
}
