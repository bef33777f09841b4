import { isRecord } from '@tenon/foundation';
import { isJson } from '../skill/frontmatter-rules.js';
import { type Skill, type SkillResource, skillLimits } from '../skill/skill.js';
import { pathWithin, readSkillUri } from '../skill/skill-uri.js';
import { SkillError, shown } from './skill-error.js';

const digestRule = /^sha256:[0-9a-f]{64}$/;

/**
 * Returns an entry of a server as a value of its own, without members that the specification does not have.
 * @throws SkillError `invalid-entry` if it breaks a rule.
 */
export function readEntry(value: unknown): Skill {
  if (!isRecord(value) || typeof value.uri !== 'string')
    throw new SkillError('invalid-entry', 'the entry must be an object with a "uri".', { uri: '' });
  const { uri, frontmatter, resources } = value;
  const invalid = (problem: string) => new SkillError('invalid-entry', `${problem}.`, { uri });
  const place = readSkillUri(uri);
  if (place === undefined)
    throw invalid(
      'the URI must end with the name of the skill and /SKILL.md, without "..", a query or a fragment',
    );
  if (!isRecord(frontmatter) || !isJson(frontmatter))
    throw invalid('"frontmatter" must be an object of few levels');
  const { name, description } = frontmatter;
  if (name !== place.name)
    throw invalid(`the frontmatter has the name ${shown(String(name))}, the URI has ${shown(place.name)}`);
  if (typeof description !== 'string' || description === '')
    throw invalid('the frontmatter has no description');
  return Object.freeze({
    uri,
    frontmatter: { ...frontmatter, name, description },
    resources: resources === 'dynamic' ? resources : readResources(resources, { uri, root: place.root }),
  });
}

function readResources(
  value: unknown,
  { uri, root }: { readonly uri: string; readonly root: string },
): readonly SkillResource[] {
  const invalid = (problem: string) => new SkillError('invalid-entry', `${problem}.`, { uri });
  if (!Array.isArray(value)) throw invalid('"resources" must be a list of files, or "dynamic"');
  const seen = new Set<string>();
  const files = value.map((one: unknown): SkillResource => {
    if (!isRecord(one) || typeof one.uri !== 'string') throw invalid('a file has no "uri"');
    const { uri: file, digest, size } = one;
    const path = pathWithin(root, file);
    if (path === undefined) throw invalid(`the file ${shown(file)} is not inside the folder of the skill`);
    if (seen.has(path)) throw invalid(`the file ${shown(file)} is listed twice`);
    seen.add(path);
    if (typeof digest !== 'string' || !digestRule.test(digest))
      throw invalid(
        `the file ${shown(file)} has no digest of the form "sha256:" and 64 lowercase hexadecimal digits`,
      );
    if (!Number.isSafeInteger(size) || (size as number) < 0)
      throw invalid(`the file ${shown(file)} has no size in whole bytes`);
    return Object.freeze({ uri: file, digest, size: size as number });
  });
  if (!files.some((file) => file.uri === uri)) throw invalid('"resources" does not list SKILL.md itself');
  return Object.freeze(files);
}

/** @throws SkillError `too-large` if a skill has more files or bytes than hosts have to load. */
export function requireLoadable({ uri, resources }: Skill): void {
  const { files, bytes } = skillLimits;
  if (resources === 'dynamic') return;
  if (resources.length > files)
    throw new SkillError('too-large', `it has ${resources.length} files, and at most ${files} are loaded.`, {
      uri,
    });
  const total = resources.reduce((sum, { size }) => sum + size, 0);
  if (total > bytes)
    throw new SkillError('too-large', `it has ${total} bytes, and at most ${bytes} are loaded.`, { uri });
}

/** The difference between the files of two entries of one skill, by URI. */
export interface SkillChange {
  /** True if the sets differ: an approval of the one is none of the other. Dynamic skills always differ. */
  readonly isChanged: boolean;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Files with another digest. */
  readonly replaced: readonly string[];
}

/** Compares the files of an entry with those of an earlier one. */
export function compareSkills(before: Skill, after: Skill): SkillChange {
  const [then, now] = [filesOf(before), filesOf(after)];
  const added = [...now.keys()].filter((uri) => !then.has(uri));
  const removed = [...then.keys()].filter((uri) => !now.has(uri));
  const replaced = [...now]
    .filter(([uri, digest]) => then.has(uri) && then.get(uri) !== digest)
    .map(([uri]) => uri);
  const isDynamic = before.resources === 'dynamic' || after.resources === 'dynamic';
  const isChanged = isDynamic || added.length + removed.length + replaced.length > 0;
  return { isChanged, added, removed, replaced };
}

function filesOf({ resources }: Skill): ReadonlyMap<string, string> {
  return new Map(resources === 'dynamic' ? [] : resources.map(({ uri, digest }) => [uri, digest]));
}
