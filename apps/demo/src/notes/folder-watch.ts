import { type FSWatcher, watch } from 'node:fs';
import type { NoteFolder } from './note-folder.js';

/** A note with a file that was created, changed or deleted. */
export interface NoteChange {
  readonly name: string;
  readonly kind: 'added' | 'changed' | 'removed';
}

/** Milliseconds within which several file system events count as one. */
const settling = 25;

/** Milliseconds between checks if the file system reports no changes. */
const polling = 500;

/**
 * Reports changes of the notes in a folder. File system events only trigger a check, because their details differ between
 * platforms: the folder is compared with its last known state.
 */
export class FolderWatch {
  readonly #notes: NoteFolder;
  readonly #onChange: (change: NoteChange) => void;
  #known: ReadonlyMap<string, string> = new Map();
  #watcher: FSWatcher | undefined;
  #settling: NodeJS.Timeout | undefined;
  #polling: NodeJS.Timeout | undefined;
  #looking: Promise<void>;
  #closed = false;

  constructor(notes: NoteFolder, onChange: (change: NoteChange) => void) {
    this.#notes = notes;
    this.#onChange = onChange;
    this.#watch();
    this.#looking = this.#remember();
  }

  /** Resolves when all later changes will be reported. */
  ready(): Promise<void> {
    return this.#looking;
  }

  close(): void {
    this.#closed = true;
    this.#watcher?.close();
    clearTimeout(this.#settling);
    clearInterval(this.#polling);
  }

  #watch(): void {
    try {
      this.#watcher = watch(this.#notes.path, { persistent: false }, () => this.#lookSoon());
      this.#watcher.on('error', () => this.#poll());
    } catch {
      this.#poll();
    }
  }

  #poll(): void {
    this.#watcher?.close();
    if (!this.#closed) this.#polling ??= setInterval(() => this.#lookSoon(), polling).unref();
  }

  #lookSoon(): void {
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined;
      // One check after the other: a slow check must not report an older state after a newer one.
      this.#looking = this.#looking.then(() => this.#look());
    }, settling).unref();
  }

  async #remember(): Promise<void> {
    // A deleted folder has no notes.
    this.#known = await this.#notes.stamps().catch(() => new Map());
  }

  async #look(): Promise<void> {
    const before = this.#known;
    await this.#remember();
    if (this.#closed) return;
    for (const [name, stamp] of this.#known) {
      if (!before.has(name)) this.#onChange({ name, kind: 'added' });
      else if (before.get(name) !== stamp) this.#onChange({ name, kind: 'changed' });
    }
    for (const name of before.keys()) {
      if (!this.#known.has(name)) this.#onChange({ name, kind: 'removed' });
    }
  }
}
