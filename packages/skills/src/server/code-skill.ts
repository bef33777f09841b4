import { optionRules, requireOptions } from '@tenon/foundation';
import type { Context } from '@tenon/mcp-server';
import { frontmatterProblem, isJson, longestFrontmatter } from '../skill/frontmatter-rules.js';
import { digestOf, type SkillFrontmatter, skillFile, skillLimits } from '../skill/skill.js';
import { encodePath, segmentProblem } from '../skill/skill-uri.js';
import { mediaTypeOf } from './media-types.js';
import type { ServedFile, ServedSkill } from './source.js';

/** Generates the content of a file for a call. */
export type GeneratedContent<Content extends string | Uint8Array = string | Uint8Array> = (
  ctx: Context,
) => Content | Promise<Content>;

/** A skill that is written in code. With generated content it is dynamic: it is listed without digests, and hosts may decline it. */
export interface CodeSkill {
  /** The fields of the frontmatter; `name` is the last segment of the URI. */
  readonly frontmatter: SkillFrontmatter;
  /** The Markdown of `SKILL.md` after the frontmatter, or a function that generates it for each read. */
  readonly body: string | GeneratedContent<string>;
  /** The other files by their path, such as `references/guide.md`. Default: none. */
  readonly files?: Readonly<Record<string, string | Uint8Array | GeneratedContent>>;
  /** The folders above the skill, such as `acme/billing`. Default: none. */
  readonly prefix?: string;
}

const encoder = new TextEncoder();

/**
 * Returns a skill in code as the server serves it.
 * @throws TypeError or RangeError if a name, a field or a file is invalid, or the skill exceeds a limit.
 */
export function servedCodeSkill(skill: CodeSkill): ServedSkill {
  const { object } = optionRules;
  const content = {
    is: 'a text, or a function that returns one',
    allows: (value: unknown) => typeof value === 'string' || typeof value === 'function',
  };
  requireOptions<CodeSkill>('A skill', skill, {
    frontmatter: object,
    body: content,
    files: object,
    prefix: optionRules.text,
  });
  const { frontmatter, body, files = {}, prefix } = skill;
  const problem = frontmatterProblem(frontmatter) ?? yamlProblem(frontmatter);
  const owner = `Skill ${JSON.stringify(frontmatter?.name)}`;
  if (problem !== undefined) throw new TypeError(`${owner}: ${problem}.`);
  if (body === undefined) throw new TypeError(`${owner} needs a body: the Markdown that a model reads.`);
  const folder = prefix === undefined ? frontmatter.name : `${prefix}/${frontmatter.name}`;
  requirePath(owner, folder);
  const root = `skill://${encodePath(folder)}`;
  const head = headOf(frontmatter);
  if (head.length > longestFrontmatter)
    throw new RangeError(`${owner}: the frontmatter has more than ${longestFrontmatter} characters.`);
  const main = typeof body === 'string' ? head + body : async (ctx: Context) => head + (await body(ctx));
  const served = [
    servedFile(`${root}/${skillFile}`, main, owner),
    ...Object.entries(files).map(([path, content]) => {
      requirePath(owner, path);
      if (path === skillFile) throw new TypeError(`${owner}: give ${skillFile} as "frontmatter" and "body".`);
      return servedFile(`${root}/${encodePath(path)}`, content, `${owner}: the file ${JSON.stringify(path)}`);
    }),
  ];
  const isDynamic = served.some(({ size }) => size === undefined);
  // A copy, because the author could change the fields later.
  const copy = JSON.parse(JSON.stringify(frontmatter)) as SkillFrontmatter;
  return { uri: `${root}/${skillFile}`, frontmatter: copy, files: served, isDynamic };
}

/** @throws RangeError if a skill has more files or bytes than hosts have to support. */
export function requireWithinLimits(
  owner: string,
  files: readonly { readonly size: number | undefined }[],
): void {
  if (files.length > skillLimits.files)
    throw new RangeError(
      `${owner} has ${files.length} files; hosts load skills of at most ${skillLimits.files}.`,
    );
  const bytes = files.reduce((sum, { size = 0 }) => sum + size, 0);
  if (bytes > skillLimits.bytes)
    throw new RangeError(`${owner} has ${bytes} bytes; hosts load skills of at most ${skillLimits.bytes}.`);
}

function servedFile(uri: string, content: string | Uint8Array | GeneratedContent, owner: string): ServedFile {
  const mimeType = mediaTypeOf(uri);
  if (typeof content === 'function')
    return { uri, mimeType, size: undefined, digest: () => '', read: (ctx) => content(ctx) };
  if (typeof content === 'string' ? /\p{Surrogate}/u.test(content) : !(content instanceof Uint8Array))
    throw new TypeError(
      `${owner} must be a text of whole characters, a Uint8Array, or a function that returns one.`,
    );
  // A copy, because the author could change the bytes later.
  const kept = typeof content === 'string' ? content : content.slice();
  const size = typeof kept === 'string' ? encoder.encode(kept).length : kept.length;
  let digest: Promise<string> | undefined;
  return {
    uri,
    mimeType,
    size,
    digest: () => {
      digest ??= digestOf(kept);
      return digest;
    },
    read: () => kept,
  };
}

/** The frontmatter as text: every value in JSON, which is YAML too. */
function headOf(frontmatter: SkillFrontmatter): string {
  const lines = Object.entries(frontmatter).flatMap(([key, value]) =>
    value === undefined ? [] : `${JSON.stringify(key)}: ${JSON.stringify(value)}\n`,
  );
  return `---\n${lines.join('')}---\n`;
}

/** YAML allows no longer keys on one line. */
const longestKey = 1_000;

function yamlProblem(frontmatter: SkillFrontmatter): string | undefined {
  const given = Object.fromEntries(Object.entries(frontmatter).filter(([, value]) => value !== undefined));
  if (!isJson(given)) return 'the frontmatter has a value that JSON cannot write';
  return hasLongKey(given) ? `the frontmatter has a key of more than ${longestKey} characters` : undefined;
}

function hasLongKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, one]) => key.length > longestKey || hasLongKey(one));
}

function requirePath(owner: string, path: string): void {
  const segments = path.split('/');
  const bad = segments.find((segment) => segmentProblem(segment) !== undefined);
  if (bad !== undefined)
    throw new TypeError(
      `${owner}: in the path ${JSON.stringify(path.slice(0, 200))}, ${JSON.stringify(bad.slice(0, 100))} ${segmentProblem(bad)}.`,
    );
  if (path.length > 1_024 || segments.length > 32 || /\p{Surrogate}/u.test(path))
    throw new TypeError(`${owner}: a path must have at most 1024 whole characters and 32 segments.`);
}
