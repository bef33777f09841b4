import { type FSWatcher, realpathSync, watch } from 'node:fs';
import { constantsOf, optionRules, requireOptions } from '@tenon/foundation';
import { ErrorCode, RpcError } from '@tenon/mcp-server';
import { readFileOf, sha256 } from './directory/read-file.js';
import { type DiskFile, readSkill, type Scan, type SkillFolder, skillFolders } from './directory/scan.js';
import type { ServedFile, ServedSkill, SkillSource, SourceHost } from './server/source.js';

/** Options of a folder of skills. */
export interface DirectoryOptions {
  /** True to read the folder again after a change, and to notify clients. Default: true if `NODE_ENV` is `development`. */
  readonly watch?: boolean;
  /** The scheme of the URIs. Default: `skill`. */
  readonly scheme?: string;
}

/** Folders with a skill; skills that are nested in another count with it. */
const bounds = { maxSkills: 1_000 };

/** Milliseconds from a change to the reading of the folder, so that a burst of changes is read once. */
const settleTime = 100;

/**
 * Returns the skills of a folder: each folder in it with a `SKILL.md` is a skill, and the folders above that are its prefix. All files
 * of a skill are served, except names that begin with a dot. Symbolic links are errors. The files are read now, for their digests,
 * and again for each request; a file that has changed meanwhile gets a new digest before it is served. A skill with a problem is not served,
 * and `onError` of the server receives the path, the problem and the fix.
 * @throws TypeError or RangeError if the folder is invalid, or if no skill in it is valid.
 */
export function directory(path: string, options: DirectoryOptions = {}): SkillSource {
  if (typeof path !== 'string' || path === '')
    throw new TypeError("directory takes the path of a folder of skills: directory('./skills').");
  requireOptions<DirectoryOptions>('directory', options, {
    watch: optionRules.flag,
    scheme: {
      is: 'a scheme in lower case, such as "skill"',
      allows: (value) => typeof value === 'string' && /^[a-z][a-z0-9+.-]{0,31}$/.test(value),
    },
  });
  return new DirectorySource(path, options);
}

class DirectorySource implements SkillSource {
  readonly #scan: Scan;
  readonly #watches: boolean;
  /** The skills by the folder that they were read from. */
  #read: ReadonlyMap<SkillFolder, readonly ServedSkill[]>;
  /** Of skills that are left out, until they can be reported. */
  #problems: unknown[] = [];
  #host: SourceHost | undefined;
  #watcher: FSWatcher | undefined;
  #cancel: (() => void) | undefined;

  constructor(path: string, options: DirectoryOptions) {
    this.#watches = options.watch ?? process.env.NODE_ENV === 'development';
    this.#scan = {
      root: realFolder(path),
      scheme: options.scheme ?? 'skill',
      maxSkills: constantsOf(bounds, options).maxSkills,
      makeFile: (file) => ({ ...file, read: () => this.#readFile({ ...file, read: () => undefined }) }),
    };
    this.#read = this.#readAll((problem) => this.#problems.push(problem));
    if (this.skills.length === 0 && this.#problems.length > 0) throw this.#problems[0];
  }

  get skills(): readonly ServedSkill[] {
    return [...this.#read.values()].flat();
  }

  start(host: SourceHost): void {
    this.#host = host;
    for (const problem of this.#problems.splice(0)) host.onError(problem);
    if (!this.#watches) return;
    this.#readAgain(host);
    this.#watcher = watch(this.#scan.root, { recursive: true, persistent: false }, () => {
      this.#cancel ??= host.clock.schedule(() => {
        this.#cancel = undefined;
        this.#readAgain(host);
      }, settleTime);
    });
    this.#watcher.on('error', (error) => host.onError(error));
  }

  stop(): void {
    this.#watcher?.close();
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** Reads the whole folder again. A skill with a problem is reported and not served until the problem is fixed. */
  #readAgain(host: SourceHost): void {
    let read: ReadonlyMap<SkillFolder, readonly ServedSkill[]>;
    try {
      read = this.#readAll((problem) => host.onError(problem));
    } catch (error) {
      host.onError(error);
      return;
    }
    const before = JSON.stringify([...this.#read.values()].map(summaryOf));
    if (JSON.stringify([...read.values()].map(summaryOf)) === before) return;
    this.#read = read;
    host.changed();
  }

  #readAll(report: (problem: unknown) => void): ReadonlyMap<SkillFolder, readonly ServedSkill[]> {
    const read = new Map<SkillFolder, readonly ServedSkill[]>();
    for (const folder of skillFolders(this.#scan, report)) {
      try {
        read.set(folder, readSkill(this.#scan, folder));
      } catch (error) {
        read.set(folder, []);
        report(error);
      }
    }
    return read;
  }

  async #readFile(file: DiskFile): Promise<Uint8Array | undefined> {
    const bytes = await readFileOf(file.path, file.size);
    if (bytes !== undefined && isAs(file, bytes)) return bytes;
    // It has changed since its digest was published: a new entry comes first, then the bytes that the entry describes.
    const now = this.#refresh(file);
    if (now === undefined) return undefined;
    const again = await readFileOf(file.path, now.size ?? 0);
    if (again !== undefined && isAs(now, again)) return again;
    throw new RpcError(ErrorCode.internalError, 'The file changes while it is read. Try again.');
  }

  /** Reads the skill of a file again, and returns the file as it is now. */
  #refresh({ uri, digest, size }: DiskFile): ServedFile | undefined {
    const known = this.#fileAt(uri);
    // Another read may have replaced the entry already.
    if (known !== undefined && (known.digest() !== digest() || known.size !== size)) return known;
    const folder = [...this.#read].find(([, skills]) => holds(skills, uri))?.[0];
    if (folder === undefined) return undefined;
    const read = new Map(this.#read);
    // A skill with a problem stays as it was: the next read tries again, and its files are not served meanwhile.
    read.set(folder, readSkill(this.#scan, folder));
    this.#read = read;
    this.#host?.changed();
    return this.#fileAt(uri);
  }

  #fileAt(uri: string): ServedFile | undefined {
    for (const { files } of this.skills) {
      const found = files.find((file) => file.uri === uri);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

function holds(skills: readonly ServedSkill[], uri: string): boolean {
  return skills.some(({ files }) => files.some((file) => file.uri === uri));
}

function summaryOf(skills: readonly ServedSkill[]): unknown {
  return skills.map(({ uri, files }) => [uri, files.map((file) => [file.uri, file.digest(), file.size])]);
}

function isAs(file: ServedFile, bytes: Uint8Array): boolean {
  return bytes.length === file.size && sha256(bytes) === file.digest();
}

/** @throws TypeError if there is no folder at the path. */
function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    throw new TypeError(`directory: there is no folder at ${JSON.stringify(path)}.`, { cause });
  }
}
