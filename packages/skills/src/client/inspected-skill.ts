import { type Skill, type SkillFrontmatter, type SkillResource, skillLimits } from '../skill/skill.js';
import { encodePath, pathWithin, segmentsOf } from '../skill/skill-uri.js';
import { compareSkills, type SkillChange } from './check-entry.js';
import type { SkillFile } from './contents.js';
import { SkillError, shown } from './skill-error.js';

/** The options of one request for a skill. */
export interface SkillCallOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds for which the server may be silent. Default: the client's. */
  readonly timeout?: number;
}

/** The requests that a loaded skill makes. */
export interface SkillReader {
  /** Returns the entry that the server has now. */
  entry(uri: string, options: SkillCallOptions | undefined): Promise<Skill>;
  /** Reads a file, and verifies it against its listed digest and size. */
  read(
    uri: string,
    listed: SkillResource | undefined,
    options: SkillCallOptions | undefined,
  ): Promise<SkillFile>;
}

/** The server's entry of a skill now, compared with the entry that the skill was loaded from. */
export interface RefreshedSkill extends SkillChange {
  readonly skill: Skill;
}

/**
 * A skill by its entry, before it is loaded: for a user who decides about it. Its files are read on demand, only those of the entry, and each is
 * verified. All of its content is untrusted: see the guide.
 */
export class InspectedSkill {
  readonly entry: Skill;
  readonly #reader: SkillReader;
  readonly #root: string;
  readonly #listed: ReadonlyMap<string, SkillResource> | undefined;
  /** The files that were read and verified, by URI. Never more bytes than the entry lists. */
  readonly #read = new Map<string, SkillFile>();
  #bytes = 0;
  #isReleased = false;

  /** @internal */
  constructor(reader: SkillReader, entry: Skill, main?: SkillFile) {
    this.#reader = reader;
    this.entry = entry;
    this.#root = entry.uri.slice(0, entry.uri.lastIndexOf('/'));
    if (entry.resources !== 'dynamic') {
      this.#listed = new Map(
        entry.resources.map((file) => [pathWithin(this.#root, file.uri) ?? file.uri, file]),
      );
      if (main !== undefined) this.#read.set(entry.uri, main);
    }
    this.#bytes = main?.bytes.length ?? 0;
  }

  /** The URI of its `SKILL.md`. */
  get uri(): string {
    return this.entry.uri;
  }

  /** The frontmatter. Fields such as `allowed-tools` are requests of the server, and grant nothing. */
  get frontmatter(): SkillFrontmatter {
    return this.entry.frontmatter;
  }

  /** The paths of its files below its folder, from the entry and without a request; undefined for a dynamic skill. */
  get paths(): readonly string[] | undefined {
    return this.#listed && [...this.#listed.keys()];
  }

  /**
   * Reads a file: `read('references/guide.md')`, or by its URI. A file of a skill that is not dynamic is requested once.
   * @throws SkillError `unlisted` if the entry has no such file, `changed` if the server has another set of files now, `size` or
   * `digest` if the file is not what its entry describes, `too-large` for a dynamic skill, `released`; errors of the request.
   */
  async read(path: string, options?: SkillCallOptions): Promise<SkillFile> {
    if (this.#isReleased)
      throw new SkillError('released', 'it was released; load it again.', { uri: this.uri });
    const { uri, listed } = this.#find(path);
    const file = await (listed === undefined
      ? this.#readDynamic(uri, options)
      : this.#readListed(listed, options));
    // A copy: the bytes are returned to later readers too.
    return { ...file, bytes: file.bytes.slice() };
  }

  /**
   * Returns the URI of a file by its path, without a request.
   * @throws SkillError `unlisted` if the entry has no such file.
   */
  uriOf(path: string): string {
    return this.#find(path).uri;
  }

  /** Requests the entry that the server has now. This skill keeps its own: load the new entry after its approval. */
  async refresh(options?: SkillCallOptions): Promise<RefreshedSkill> {
    const skill = await this.#reader.entry(this.uri, options);
    return { skill, ...compareSkills(this.entry, skill) };
  }

  /** Ends the use of the skill, once its content has left the context of the model. Later reads are rejected. */
  release(): void {
    this.#isReleased = true;
    this.#read.clear();
  }

  async #readListed(listed: SkillResource, options: SkillCallOptions | undefined): Promise<SkillFile> {
    const { uri } = listed;
    const known = this.#read.get(uri);
    if (known !== undefined) return known;
    const file = await readOrChanged(this.#reader, { entry: this.entry, listed }, options);
    if (!this.#isReleased) this.#read.set(uri, file);
    return file;
  }

  async #readDynamic(uri: string, options: SkillCallOptions | undefined): Promise<SkillFile> {
    const file = await this.#reader.read(uri, undefined, options);
    this.#bytes += file.bytes.length;
    if (this.#bytes > skillLimits.bytes)
      throw new SkillError('too-large', `more than ${skillLimits.bytes} bytes were read.`, { uri: this.uri });
    return file;
  }

  #find(path: string): { readonly uri: string; readonly listed: SkillResource | undefined } {
    const exact = this.#listed?.get(path);
    if (exact !== undefined) return { uri: exact.uri, listed: exact };
    const wanted = path.includes('://') ? pathWithin(this.#root, path) : relativePath(path);
    if (wanted !== undefined && this.#listed === undefined)
      return { uri: `${this.#root}/${encodePath(wanted)}`, listed: undefined };
    const listed = wanted === undefined ? undefined : this.#listed?.get(wanted);
    if (listed !== undefined) return { uri: listed.uri, listed };
    throw new SkillError(
      'unlisted',
      `its entry has no file ${shown(path)}. If the server has added the file, refresh() shows it, and it needs a new approval.`,
      { uri: this.uri },
    );
  }
}

/**
 * Reads a file of a held entry. After a mismatch the entry is requested again, to tell a skill that has changed from one that is
 * wrong.
 */
export async function readOrChanged(
  reader: SkillReader,
  { entry, listed }: { readonly entry: Skill; readonly listed: SkillResource },
  options: SkillCallOptions | undefined,
): Promise<SkillFile> {
  try {
    return await reader.read(listed.uri, listed, options);
  } catch (error) {
    if (!(error instanceof SkillError) || (error.reason !== 'size' && error.reason !== 'digest')) throw error;
    const current = await reader.entry(entry.uri, options).catch(() => undefined);
    if (current === undefined || !compareSkills(entry, current).isChanged) throw error;
    throw changed(entry, current, error);
  }
}

function changed({ uri }: Skill, current: Skill, cause: unknown): SkillError {
  const message = 'the server has changed it since it was listed: it needs a new approval.';
  return new SkillError('changed', message, { uri, current, cause });
}

/** Returns a relative path of a document, without `./`, fragment and percent-encoding; undefined if it leads out of the folder. */
function relativePath(path: string): string | undefined {
  const plain = path.replace(/^(?:\.\/)+/, '').replace(/#.*$/s, '');
  const segments = segmentsOf(plain) ?? segmentsOf(encodePath(plain));
  return segments?.join('/');
}
