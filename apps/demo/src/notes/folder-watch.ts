import { type FSWatcher, watch } from 'node:fs';
import type { NoteFolder } from './note-folder.js';

/** A note whose file appeared, changed or went away. */
export interface NoteChange {
  readonly name: string;
  readonly kind: 'added' | 'changed' | 'removed';
}

/** Milliseconds in which several events of the file system count as one. */
const settling = 25;

/** Milliseconds between looks where the file system does not tell of changes. */
const polling = 500;

/**
 * Tells what became of the notes of a folder. Events of the file system only say when to look: platforms differ in
 * what else they say, so the folder is compared with what it was before.
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

  /** Resolves once every later change is told. */
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
      // One look after the other: a slow one must not bring back what a later one has seen.
      this.#looking = this.#looking.then(() => this.#look());
    }, settling).unref();
  }

  async #remember(): Promise<void> {
    // A folder that has gone has no notes.
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
