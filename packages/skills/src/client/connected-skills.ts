import { isRecord } from '@tenon/foundation';
import { type CallOptions, type Page, SessionError } from '@tenon/mcp-client';
import { type ExtensionClient, Pages } from '@tenon/mcp-client/extension';
import type { Resource } from '@tenon/mcp-protocol';
import { isSameJson } from '../skill/frontmatter-rules.js';
import {
  getSkill,
  listSkills,
  readDirectory,
  type Skill,
  type SkillResource,
  skillLimits,
} from '../skill/skill.js';
import { segmentsOf } from '../skill/skill-uri.js';
import { readEntry, requireLoadable } from './check-entry.js';
import { cachedFile, type SkillFile, type SkillFileCache, verifiedFile } from './contents.js';
import { InspectedSkill, readOrChanged, type SkillCallOptions, type SkillReader } from './inspected-skill.js';
import { LoadedSkill } from './loaded-skill.js';
import { SkillError, shown } from './skill-error.js';

/** Bounds of one list. */
export const listBounds = {
  skills: 10_000,
  pages: 100,
  /** Bytes that the list takes in memory: each of its values counts as 32 at least. */
  listBytes: 67_108_864,
};

interface SkillsSettingsOfClient {
  readonly bounds: typeof listBounds;
  readonly allowDynamic: boolean;
  readonly onInvalid: (error: SkillError) => void;
}

/** Options of inspecting a skill. */
export interface InspectOptions {
  /** Keeps the files that were read. Default: they are kept in memory until the skill is released. */
  readonly cache?: SkillFileCache;
}

/** Options of loading a skill. */
export interface LoadOptions extends SkillCallOptions, InspectOptions {
  /**
   * Decides whether the skill may be loaded; called with its entry before any of its files is read. Default: the caller has decided.
   */
  readonly approve?: (skill: Skill) => boolean | Promise<boolean>;
}

/** The skills of one connected server. */
export class ConnectedSkills {
  readonly #client: ExtensionClient;
  readonly #settings: SkillsSettingsOfClient;

  /** @internal */
  constructor(client: ExtensionClient, settings: SkillsSettingsOfClient) {
    this.#client = client;
    this.#settings = settings;
  }

  /** True if the server has skills: it declares the extension in the revision in use. */
  get isOffered(): boolean {
    return this.#client.settings !== undefined;
  }

  /** True if `directory` can be used with the server. */
  get canReadDirectories(): boolean {
    return this.#client.settings?.directoryRead === true;
  }

  /**
   * Returns the skills that the server lists, page by page as they are iterated; no file is read. A list may be empty or partial: `load`
   * loads a skill that is not listed. Invalid entries are left out, and reported to `onInvalid`.
   * @throws SessionError `capability-missing` if the server has no skills, `limit` for too many pages, bytes or skills.
   */
  list(options?: SkillCallOptions): Pages<Skill> {
    const { bounds } = this.#settings;
    let count = 0;
    const read = async (cursor: string | undefined): Promise<Page<Skill>> => {
      const { skills, ...rest } = await this.#client.request(listSkills, paged(cursor), options);
      const found = skills as readonly unknown[];
      count = cursor === undefined ? found.length : count + found.length;
      if (count > bounds.skills)
        throw new SessionError(
          'limit',
          `The list of ${listSkills.name} has more than ${bounds.skills} skills.`,
        );
      return { ...nextOf(rest), items: found.flatMap((one) => this.#valid(() => readEntry(one))) };
    };
    return new Pages(listSkills.name, bounds, read);
  }

  /**
   * Returns the entry that the server has now of a skill, listed or not; no file is read.
   * @throws SkillError `invalid-entry`; RemoteError -32602 if the server has no such skill.
   */
  async get(uri: string, options?: SkillCallOptions): Promise<Skill> {
    const { skill } = await this.#client.request(getSkill, { uri }, options);
    const entry = readEntry(skill);
    if (entry.uri === uri) return entry;
    throw new SkillError('invalid-entry', `the server answered with the skill ${shown(entry.uri)}.`, { uri });
  }

  /**
   * Returns a skill that a user can look at before it is loaded; no file is read until `read`.
   * @param skill - its entry, which files are verified against.
   * @throws SkillError `invalid-entry`, `too-large` or `dynamic`, as `load` does.
   */
  inspect(skill: Skill, { cache }: InspectOptions = {}): InspectedSkill {
    return new InspectedSkill(this.#readerWith(cache), this.#loadable(readEntry(skill)));
  }

  /**
   * Loads a skill: reads its `SKILL.md`, and verifies size, digest and frontmatter before anything else. No other file is read.
   * @param skill - its URI, or an entry, which is then the one that files are verified against.
   * @throws SkillError with the reason; errors of the requests.
   */
  async load(skill: string | Skill, options: LoadOptions = {}): Promise<LoadedSkill> {
    const { approve, cache, ...call } = options;
    const entry = this.#loadable(typeof skill === 'string' ? await this.get(skill, call) : readEntry(skill));
    const { uri, resources } = entry;
    if (approve !== undefined && (await approve(entry)) !== true)
      throw new SkillError('not-approved', 'it was not approved.', { uri });
    const reader = this.#readerWith(cache);
    const listed = resources === 'dynamic' ? undefined : resources.find((file) => file.uri === uri);
    const main =
      listed === undefined
        ? await reader.read(uri, undefined, call)
        : await readOrChanged(reader, { entry, listed }, call);
    const { bytes } = skillLimits;
    if (main.bytes.length > bytes)
      throw new SkillError('too-large', `it has more than ${bytes} bytes.`, { uri });
    const { text } = main;
    if (text === undefined)
      throw new SkillError('frontmatter', 'its SKILL.md is not text in UTF-8.', { uri });
    return new LoadedSkill(reader, { entry, main, text, body: await verifiedBody(entry, text) });
  }

  /**
   * Returns the direct children of a directory as the server has them now. They extend no entry: a file that is not in the entry of a
   * loaded skill is not a file of it.
   * @throws SessionError `capability-missing` if the server does not offer it.
   */
  directory(uri: string, options?: SkillCallOptions): Pages<Resource> {
    const read = async (cursor: string | undefined): Promise<Page<Resource>> => {
      await this.#client.waitForServer(options?.signal);
      if (this.isOffered && !this.canReadDirectories)
        throw new SessionError(
          'capability-missing',
          'The server does not offer resources/directory/read: its settings have no "directoryRead".',
        );
      const { resources, ...rest } = await this.#client.request(
        readDirectory,
        { uri, ...paged(cursor) },
        options,
      );
      const items = (resources as readonly unknown[]).flatMap((one) =>
        this.#valid(() => readChild(uri, one)),
      );
      return { ...nextOf(rest), items };
    };
    return new Pages(readDirectory.name, this.#settings.bounds, read);
  }

  /** @throws SkillError `too-large` or `dynamic` for a skill that this client does not load. */
  #loadable(entry: Skill): Skill {
    requireLoadable(entry);
    if (entry.resources !== 'dynamic' || this.#settings.allowDynamic) return entry;
    throw new SkillError(
      'dynamic',
      'its content is generated, and nothing can verify it. Set allowDynamic to load it all the same.',
      { uri: entry.uri },
    );
  }

  #readerWith(cache: SkillFileCache | undefined): SkillReader {
    const read = async (uri: string, listed: SkillResource | undefined, options?: CallOptions) =>
      // A stored response may be older than the entry.
      verifiedFile(uri, await this.#client.readResource(uri, { ...options, fresh: true }), listed);
    return {
      entry: (uri, options) => this.get(uri, options),
      read: async (uri, listed, options): Promise<SkillFile> => {
        if (cache === undefined || listed === undefined) return read(uri, listed, options);
        const report = (error: unknown) => this.#client.onError(error);
        return cachedFile({ cache, listed, report }, () => read(uri, listed, options));
      },
    };
  }

  #valid<Item>(read: () => Item): readonly Item[] {
    try {
      return [read()];
    } catch (error) {
      if (!(error instanceof SkillError)) throw error;
      this.#settings.onInvalid(error);
      return [];
    }
  }
}

/** @throws SkillError `frontmatter` if the frontmatter is invalid, or is not that of the entry. */
async function verifiedBody({ uri, frontmatter: expected }: Skill, text: string): Promise<string> {
  // Listing needs no YAML.
  const { readFrontmatter } = await import('../skill/frontmatter.js');
  try {
    const { frontmatter, body } = readFrontmatter(text);
    const fields = new Set([...Object.keys(frontmatter), ...Object.keys(expected)]);
    const different = [...fields].filter((field) => !isSameJson(frontmatter[field], expected[field]));
    if (different.length === 0) return body;
    const names = shown(different.slice(0, 10).join(', '));
    throw new SkillError('frontmatter', `its frontmatter differs from its entry in ${names}.`, { uri });
  } catch (error) {
    if (error instanceof SkillError) throw error;
    const { message } = error as Error;
    const unreadable = new SkillError('frontmatter', `${message}.`, { uri, cause: error });
    throw unreadable;
  }
}

/** @throws SkillError `invalid-entry` if it is not a direct child of the directory. */
function readChild(directory: string, value: unknown): Resource {
  const invalid = (problem: string) => new SkillError('invalid-entry', problem, { uri: directory });
  if (!isRecord(value) || typeof value.uri !== 'string' || typeof value.name !== 'string')
    throw invalid('a child of the directory needs "uri" and "name".');
  const { uri } = value;
  const rest = uri.startsWith(`${directory}/`) ? segmentsOf(uri.slice(directory.length + 1)) : undefined;
  if (rest?.length !== 1) throw invalid(`${shown(uri)} is not a direct child of the directory.`);
  return value as unknown as Resource;
}

function paged(cursor: string | undefined): { readonly cursor?: string } {
  return cursor === undefined ? {} : { cursor };
}

/** @throws SessionError `invalid-answer` if the cursor is not a text. */
function nextOf({
  nextCursor,
  ttlMs,
  cacheScope,
}: Readonly<Record<string, unknown>>): Omit<Page<never>, 'items'> {
  if (nextCursor !== undefined && typeof nextCursor !== 'string')
    throw new SessionError('invalid-answer', 'The cursor of the next page must be a text.');
  return {
    ...(nextCursor !== undefined && { nextCursor }),
    ...(typeof ttlMs === 'number' && ttlMs >= 0 && { ttlMs }),
    ...((cacheScope === 'public' || cacheScope === 'private') && { cacheScope }),
  };
}
