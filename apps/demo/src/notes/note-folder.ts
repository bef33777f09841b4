import { constants } from 'node:fs';
import { appendFile, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The form of a note's name. Without dots and slashes, no name leads out of the folder. */
export const noteName: RegExp = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** A line that matches a search. */
export interface Match {
  readonly note: string;
  readonly line: number;
  readonly text: string;
}

/** The Markdown files of a folder, `<name>.md` each. Links and files with other names are ignored. */
export class NoteFolder {
  readonly path: string;
  #writes = 0;

  constructor(path: string) {
    this.path = path;
  }

  /** Names in alphabetical order. */
  async names(): Promise<readonly string[]> {
    const files = await readdir(this.path, { withFileTypes: true });
    return files
      .filter((file) => file.isFile() && file.name.endsWith('.md'))
      .map((file) => file.name.slice(0, -3))
      .filter((name) => noteName.test(name))
      .sort();
  }

  /** The text of a note; undefined if there is no note of that name. */
  async read(name: string): Promise<string | undefined> {
    if (!noteName.test(name)) return undefined;
    try {
      const file = await open(this.#file(name), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
      return await file.readFile('utf8').finally(() => file.close());
    } catch (error) {
      if (isOneOf(error, 'ENOENT', 'ELOOP')) return undefined;
      throw error;
    }
  }

  /** Writes a new note; returns false if the name is taken. */
  async create(name: string, text: string): Promise<boolean> {
    try {
      await writeFile(this.#file(name), text, { flag: 'wx' });
      return true;
    } catch (error) {
      if (isOneOf(error, 'EEXIST')) return false;
      throw error;
    }
  }

  /** Replaces the text of a note atomically: readers see the old text or the new one. */
  async replace(name: string, text: string): Promise<void> {
    const file = this.#file(name);
    const draft = join(this.path, `.${name}.${process.pid}.${++this.#writes}`);
    await writeFile(draft, text, { flag: 'wx' });
    await rename(draft, file);
  }

  async append(name: string, text: string): Promise<void> {
    await appendFile(this.#file(name), text);
  }

  async remove(name: string): Promise<void> {
    await rm(this.#file(name), { force: true });
  }

  /** Lines that contain a text, ignoring case. */
  async search(query: string): Promise<readonly Match[]> {
    const found: Match[] = [];
    for (const note of await this.names()) {
      const lines = (await this.read(note))?.split('\n') ?? [];
      for (const [index, text] of lines.entries()) {
        if (text.toLowerCase().includes(query.toLowerCase())) found.push({ note, line: index + 1, text });
      }
    }
    return found;
  }

  /** A value for each note that changes with its file. */
  async stamps(): Promise<ReadonlyMap<string, string>> {
    const stamps = new Map<string, string>();
    for (const name of await this.names()) {
      const found = await stat(this.#file(name), { bigint: true }).catch(() => undefined);
      if (found !== undefined) stamps.set(name, `${found.mtimeNs} ${found.size} ${found.ino}`);
    }
    return stamps;
  }

  #file(name: string): string {
    if (!noteName.test(name)) throw new RangeError(`"${name}" is not a valid name for a note.`);
    return join(this.path, `${name}.md`);
  }
}

function isOneOf(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
