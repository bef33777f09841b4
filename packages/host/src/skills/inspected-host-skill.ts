import type { Skill } from '@tenon/mcp-skills/client';
import { isVisible, visibleText } from '../models/formats/text/visible-text.js';
import type { SkillFiles } from './skill-files.js';

/** A file of a skill, before it is read. */
export interface ListedSkillFile {
  /** The path below the folder of the skill. */
  readonly path: string;
  readonly uri: string;
  readonly digest: string;
  /** Bytes. */
  readonly size: number;
}

/** A file of a skill for a user who looks at it. */
export interface ViewedSkillFile {
  readonly uri: string;
  readonly bytes: Uint8Array;
  /** The text without characters that people do not see; undefined for bytes that are not UTF-8. */
  readonly text: string | undefined;
  /** True if the file has characters that people do not see but models read: warn the user. */
  readonly hasHidden: boolean;
}

/** Fields that describe a skill. All others ask the host for something. */
const descriptive: readonly string[] = ['name', 'description', 'license', 'compatibility', 'metadata'];

/** A skill that the user looks at before it is loaded. Nothing of it reaches a model. */
export class InspectedHostSkill {
  /** The name of the server in the host. */
  readonly server: string;
  readonly uri: string;
  /** The entry, as the server sent it: not verified. */
  readonly entry: Skill;
  /** All files; undefined for a skill with generated content. */
  readonly files: readonly ListedSkillFile[] | undefined;
  /** The fields of the frontmatter that ask for something, such as `allowed-tools` or `hooks`. The host ignores them. */
  readonly ignoredFields: readonly string[];
  readonly #files: SkillFiles;

  /** @internal */
  constructor(server: string, entry: Skill, files: SkillFiles) {
    this.server = server;
    this.uri = entry.uri;
    this.entry = entry;
    this.#files = files;
    const { resources } = entry;
    const { paths } = files;
    if (resources !== 'dynamic' && paths !== undefined)
      this.files = resources.map((file, index) => ({ path: visibleText(paths[index] ?? file.uri), ...file }));
    else this.files = undefined;
    this.ignoredFields = Object.keys(entry.frontmatter)
      .filter((field) => !descriptive.includes(field))
      .map(visibleText);
  }

  /**
   * Reads a file for the user, by its path or URI. The policy can deny it; the user, who looks at it, is not asked.
   * @throws HostError; SkillError
   */
  async read(path: string, { signal }: { readonly signal?: AbortSignal } = {}): Promise<ViewedSkillFile> {
    const { uri, bytes, text } = await this.#files.read(path, signal);
    return {
      ...{ uri, bytes },
      text: text === undefined ? undefined : visibleText(text),
      hasHidden: text !== undefined && !isVisible(text),
    };
  }
}
