import { constantsOf, listOf, optionRules, requireOptions, textIn } from '@tenon/foundation';
import type { CacheHints } from '@tenon/mcp-protocol';
import {
  type Context,
  ErrorCode,
  type ResourceReturn,
  RpcError,
  type ServerExtension,
} from '@tenon/mcp-server';
import { defineExtension, type EntryRegistrar, serve } from '@tenon/mcp-server/extension';
import { Catalog, type CatalogFile } from './server/catalog.js';
import { type CodeSkill, servedCodeSkill } from './server/code-skill.js';
import { pageBounds, pageOf } from './server/pages.js';
import type { ServedSkill, SkillSource } from './server/source.js';
import { getSkill, listSkills, readDirectory, skillsId } from './skill/skill.js';

export type { CodeSkill, GeneratedContent } from './server/code-skill.js';
export type { ServedFile, ServedSkill, SkillSource, SourceHost } from './server/source.js';
export {
  type Skill,
  type SkillFrontmatter,
  type SkillResource,
  type SkillsSettings,
  skillLimits,
  skillsId,
} from './skill/skill.js';

/** Options of the skills that a server serves. */
export interface SkillsOptions {
  /** A folder of skills: `directory('./skills')` of `@tenon/mcp-skills/directory`. Default: none. */
  readonly from?: SkillSource;
  /** Skills in code. Default: none. */
  readonly skills?: readonly CodeSkill[];
  /** Cache hints of entries and files. Default: `{ ttlMs: 0, cacheScope: 'private' }`. */
  readonly cache?: CacheHints;
  /** Scopes that a caller needs, for every method and file of the extension. Default: none. */
  readonly scopes?: readonly string[];
  /** True to offer `resources/directory/read`. Default: true. */
  readonly directoryRead?: boolean;
}

/**
 * Serves skills: `createServer(info, { extensions: [skills({ from: directory('./skills') })] })`. Every file of a skill is a resource of
 * the server.
 * @throws TypeError or RangeError if there are no skills, or a skill or an option is invalid.
 * @see https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx
 */
export function skills(options: SkillsOptions): ServerExtension<typeof skillsId> {
  const { flag, object, texts } = optionRules;
  requireOptions<SkillsOptions>('skills', options, {
    from: {
      is: "a source of skills, such as directory('./skills') of @tenon/mcp-skills/directory",
      allows: (value) => Array.isArray((value as Partial<SkillSource> | null)?.skills),
    },
    skills: listOf('{ frontmatter, body, files }', () => true),
    cache: object,
    scopes: texts,
    directoryRead: flag,
  });
  return new ServedSkills(options).extension();
}

/** The skills of one server: their catalog, and the resources that are registered for it. */
class ServedSkills {
  readonly #options: SkillsOptions;
  readonly #own: readonly ServedSkill[];
  readonly #bounds: typeof pageBounds;
  readonly #hints: Required<CacheHints>;
  #catalog: Catalog;
  #entries: EntryRegistrar | undefined;

  constructor(options: SkillsOptions) {
    const { skills: own = [], cache } = options;
    this.#options = options;
    this.#own = own.map(servedCodeSkill);
    this.#bounds = constantsOf(pageBounds, options);
    this.#hints = { ttlMs: cache?.ttlMs ?? 0, cacheScope: cache?.cacheScope ?? 'private' };
    this.#catalog = this.#read();
    if (this.#catalog.files.size === 0)
      throw new TypeError(
        'skills: there are no skills. Give "from", a folder with a folder for each skill, or "skills".',
      );
  }

  extension(): ServerExtension<typeof skillsId> {
    const { from, scopes, directoryRead = true } = this.#options;
    const options = scopes === undefined ? undefined : { scopes };
    return defineExtension({
      id: skillsId,
      settings: directoryRead ? { directoryRead } : {},
      clientDeclares: false,
      methods: [
        serve(listSkills, ({ cursor }) => this.#list(cursor), options),
        serve(getSkill, (params) => this.#get(String(params.uri)), options),
        ...(directoryRead
          ? [serve(readDirectory, ({ uri, cursor }) => this.#readDirectory(String(uri), cursor), options)]
          : []),
      ],
      register: (entries) => {
        if (this.#entries !== undefined)
          throw new TypeError(
            'skills: this value belongs to another server. Call skills() once for each server.',
          );
        this.#entries = entries;
        for (const file of this.#catalog.files.values()) this.#register(entries, file);
      },
      start: ({ clock, onError }) =>
        from?.start?.({
          clock,
          onError: (error) => onError(error, 'skills'),
          changed: () => this.#changed((error) => onError(error, 'skills')),
        }),
      stop: () => from?.stop?.(),
    });
  }

  #read(): Catalog {
    return new Catalog([...this.#own, ...(this.#options.from?.skills ?? [])]);
  }

  async #list(cursor: unknown): Promise<Record<string, unknown>> {
    const all = await this.#catalog.list();
    const { items, ...next } = pageOf(
      { list: 'skills', all, bounds: this.#bounds, uriOf: ({ uri }) => uri },
      cursor,
    );
    return { skills: items, ...next, ...this.#hints };
  }

  async #get(uri: string): Promise<Record<string, unknown>> {
    const skill = await this.#catalog.entry(uri);
    if (skill === undefined) throw invalid(`No skill is served at ${quoted(uri)}.`);
    return { skill, ...this.#hints };
  }

  #readDirectory(uri: string, cursor: unknown): Record<string, unknown> {
    const all = this.#catalog.children(uri);
    if (all === undefined) throw invalid(`${quoted(uri)} is not a directory resource.`);
    const { items, ...next } = pageOf(
      { list: 'directory', all, of: uri, bounds: this.#bounds, uriOf: (listed) => listed.uri },
      cursor,
    );
    // The specification has no hints here, but the official client requires them in the stateless revision.
    return { resources: items, ...next, ...this.#hints };
  }

  /** Replaces the catalog after its source has changed, and the resources that differ. */
  #changed(onError: (error: unknown) => void): void {
    const before = this.#catalog;
    const entries = this.#entries;
    try {
      this.#catalog = this.#read();
    } catch (error) {
      // The skills of before are still there, and each read verifies its file.
      onError(error);
      return;
    }
    if (entries === undefined) return;
    const { files } = this.#catalog;
    for (const [uri, { listed }] of before.files) {
      const now = files.get(uri);
      if (now !== undefined && JSON.stringify(now.listed) === JSON.stringify(listed)) continue;
      entries.remove('resource', uri);
    }
    for (const [uri, now] of files) {
      const then = before.files.get(uri);
      if (then === undefined || JSON.stringify(now.listed) !== JSON.stringify(then.listed))
        this.#register(entries, now);
      if (then !== undefined && then.file !== now.file) entries.resourceUpdated(uri);
    }
  }

  #register(entries: EntryRegistrar, { listed }: CatalogFile): void {
    const { scopes } = this.#options;
    const { uri, ...metadata } = listed;
    const options = { ...metadata, cache: this.#hints, ...(scopes !== undefined && { scopes }) };
    entries.resource(uri, options, (_, ctx) => this.#readFile(uri, ctx));
  }

  async #readFile(uri: string, ctx: Context): Promise<ResourceReturn> {
    const found = this.#catalog.files.get(uri);
    const content = await found?.file.read(ctx);
    if (found === undefined || content === undefined) return undefined;
    const { mimeType } = found.listed;
    if (typeof content === 'string') return { uri, mimeType, text: content };
    if (!(content instanceof Uint8Array))
      throw new TypeError(`The function for ${uri} must return a text or a Uint8Array.`);
    const text = textIn(content);
    return text === undefined ? { uri, mimeType, blob: content } : { uri, mimeType, text };
  }
}

function invalid(message: string): RpcError {
  return new RpcError(ErrorCode.invalidParams, message);
}

function quoted(uri: string): string {
  return JSON.stringify(uri.length > 256 ? `${uri.slice(0, 256)}...` : uri);
}
