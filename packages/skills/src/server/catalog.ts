import { directoryType, type Skill } from '../skill/skill.js';
import { requireWithinLimits } from './code-skill.js';
import type { ServedFile, ServedSkill } from './source.js';

/** The metadata of a file or folder. */
interface Listed {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
  readonly description?: string;
}

/** A file, and its metadata. */
export interface CatalogFile {
  readonly file: ServedFile;
  readonly listed: Listed;
}

/** The skills of a server at one moment, by URI, and their files and folders. */
export class Catalog {
  readonly files: ReadonlyMap<string, CatalogFile>;
  readonly #skills = new Map<string, ServedSkill>();
  readonly #children = new Map<string, Map<string, Listed>>();
  readonly #entries = new Map<string, Promise<Skill>>();
  #list: Promise<readonly Skill[]> | undefined;

  /**
   * @throws TypeError if two skills have the same URI, or different files at one URI; RangeError if a skill exceeds a limit
   * together with the skills that are nested in it.
   */
  constructor(skills: readonly ServedSkill[]) {
    for (const skill of withNested(skills)) {
      if (this.#skills.has(skill.uri)) throw new TypeError(`There are two skills at ${skill.uri}.`);
      requireWithinLimits(`Skill ${skill.uri}`, skill.files);
      this.#skills.set(skill.uri, skill);
    }
    const files = new Map<string, CatalogFile>();
    for (const { files: all } of this.#skills.values()) {
      for (const file of all) {
        const other = files.get(file.uri)?.file;
        if (other === file) continue;
        if (other !== undefined) throw new TypeError(`Two skills have different files at ${file.uri}.`);
        const listed = this.#listed(file);
        files.set(file.uri, { file, listed });
        this.#addChild(listed);
      }
    }
    this.files = files;
    for (const uri of files.keys())
      if (this.#children.has(uri)) throw new TypeError(`${uri} is both a file and a folder.`);
  }

  /** Returns the entries of all skills, in the order of their URIs. */
  list(): Promise<readonly Skill[]> {
    this.#list ??= Promise.all(
      [...this.#skills.values()].sort((a, b) => compare(a.uri, b.uri)).map((skill) => this.#entry(skill)),
    );
    return this.#list;
  }

  /** Returns the entry of a skill; undefined if there is none at that URI. */
  entry(uri: string): Promise<Skill> | undefined {
    const skill = this.#skills.get(uri);
    return skill && this.#entry(skill);
  }

  /** Returns the direct children of a folder, in the order of their names; undefined if there is no such folder. */
  children(uri: string): readonly Listed[] | undefined {
    const children = this.#children.get(uri);
    return children && [...children.values()].sort((a, b) => compare(a.uri, b.uri));
  }

  #entry(skill: ServedSkill): Promise<Skill> {
    let entry = this.#entries.get(skill.uri);
    if (entry === undefined) {
      entry = entryOf(skill);
      this.#entries.set(skill.uri, entry);
    }
    return entry;
  }

  #listed({ uri, mimeType }: ServedFile): Listed {
    const { frontmatter } = this.#skills.get(uri) ?? {};
    if (frontmatter === undefined) return { uri, name: lastSegment(uri), mimeType };
    return { uri, name: frontmatter.name, mimeType, description: frontmatter.description };
  }

  /** Adds a file or folder to the folder above it, and that folder to the next. */
  #addChild(child: Listed): void {
    const parent = rootOf(child.uri);
    const known = this.#children.get(parent);
    if (known !== undefined) {
      known.set(child.uri, child);
      return;
    }
    this.#children.set(parent, new Map([[child.uri, child]]));
    if (isTop(parent)) return;
    this.#addChild({ uri: parent, name: lastSegment(parent), mimeType: directoryType });
  }
}

/** Adds the files of nested skills to the skills around them: they are supporting files there. */
function withNested(skills: readonly ServedSkill[]): readonly ServedSkill[] {
  const byRoot = new Map(skills.map((skill) => [rootOf(skill.uri), { ...skill, files: [...skill.files] }]));
  for (const { uri, files, isDynamic } of skills) {
    let root = rootOf(uri);
    while (!isTop(root)) {
      root = root.slice(0, root.lastIndexOf('/'));
      const outer = byRoot.get(root);
      if (outer === undefined) continue;
      outer.files.push(...files);
      if (isDynamic) outer.isDynamic = true;
    }
  }
  // Two skills at one URI are found by the caller.
  return byRoot.size === skills.length ? [...byRoot.values()] : skills;
}

function rootOf(uri: string): string {
  return uri.slice(0, uri.lastIndexOf('/'));
}

/** True for a folder that is not inside another: only the authority of its URI. */
function isTop(folder: string): boolean {
  return /^[^/]*:\/\/[^/]*$/.test(folder);
}

async function entryOf({ uri, frontmatter, files, isDynamic }: ServedSkill): Promise<Skill> {
  if (isDynamic) return { uri, frontmatter, resources: 'dynamic' };
  const resources = await Promise.all(
    files.map(async (file) => ({ uri: file.uri, digest: await file.digest(), size: file.size ?? 0 })),
  );
  return { uri, frontmatter, resources };
}

/** The decoded last segment of a URI. */
function lastSegment(uri: string): string {
  return decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1));
}

/** By code units: the same on every machine. */
export function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
