import { type Dirent, opendirSync } from 'node:fs';
import { join } from 'node:path';
import { textIn } from '@tenon/foundation';
import { mediaTypeOf } from '../server/media-types.js';
import type { ServedFile, ServedSkill } from '../server/source.js';
import { readFrontmatter } from '../skill/frontmatter.js';
import { frontmatterProblem } from '../skill/frontmatter-rules.js';
import { type SkillFrontmatter, skillFile, skillLimits } from '../skill/skill.js';
import { encodePath, segmentProblem } from '../skill/skill-uri.js';
import { readFileUpTo, sha256 } from './read-file.js';

/** The most folders inside folders. */
const deepest = 16;
/** The most names in one folder: far above what a skill may have. */
const mostNames = 10_000;

/** A file on disk, as it was when its skill was read. */
export interface DiskFile extends ServedFile {
  readonly path: string;
  readonly size: number;
  digest(): string;
}

/** Makes the served file of a file on disk. */
type FileMaker = (file: Omit<DiskFile, 'read'>) => ServedFile;

/** The reading of one folder of skills. */
export interface Scan {
  /** The folder, absolute and without symbolic links. */
  readonly root: string;
  readonly scheme: string;
  readonly maxSkills: number;
  readonly makeFile: FileMaker;
}

/** A folder with a `SKILL.md` that is inside no other such folder: its path below the root, with `/` between segments. */
export type SkillFolder = string;

/** Receives the problem of a skill that is left out: an error that names the path. */
type Report = (problem: unknown) => void;

/**
 * Returns the folders of skills. A folder without a `SKILL.md` is a prefix of the skills below. What cannot be a skill is reported and left out.
 * @throws TypeError or RangeError that names the path and the problem, if the folder is a skill itself or has too many skills.
 */
export function skillFolders(scan: Scan, report: Report): readonly SkillFolder[] {
  const found: SkillFolder[] = [];
  const visit = (folder: string, depth: number) => {
    const problems: unknown[] = [];
    const names = namesBelow(scan, folder, (problem) => problems.push(problem));
    if (names.some((one) => one.name === skillFile && !one.isDirectory())) {
      if (folder === '')
        throw new TypeError(
          `${scan.root} is a skill itself: give the folder that contains it. Each folder in it is a skill.`,
        );
      if (found.length >= scan.maxSkills)
        throw new RangeError(`${scan.root} has more than ${scan.maxSkills} skills: use several servers.`);
      // The problems of a skill are found when it is read.
      found.push(folder);
      return;
    }
    for (const problem of problems) report(problem);
    const misspelt = names.find(({ name }) => name.toUpperCase() === skillFile.toUpperCase());
    if (misspelt !== undefined)
      report(
        new TypeError(`${join(scan.root, folder, misspelt.name)} must be a file with the name ${skillFile}.`),
      );
    else if (depth >= deepest)
      report(new RangeError(`${join(scan.root, folder)} is more than ${deepest} folders deep.`));
    else for (const one of names) if (one.isDirectory()) visit(below(folder, one.name), depth + 1);
  };
  visit('', 0);
  return found;
}

/**
 * Reads a skill, and the skills that are nested in it.
 * @throws TypeError, RangeError or SyntaxError that names the path and the problem.
 */
export function readSkill(scan: Scan, folder: SkillFolder): readonly ServedSkill[] {
  const bounds = { files: 0, bytes: 0 };
  const skills: ServedSkill[] = [];
  const visit = (at: string, depth: number, outer: ServedFile[]) => {
    if (depth > deepest) throw new RangeError(`${join(scan.root, at)} is more than ${deepest} folders deep.`);
    const names = namesIn(scan, at);
    const files: ServedFile[] = [];
    // Read once: frontmatter and digest must be of the same bytes.
    const main = names.some((one) => one.name === skillFile && one.isFile())
      ? readOne(scan, below(at, skillFile), bounds)
      : undefined;
    const frontmatter = main && frontmatterOf(main, { folder: at, isRequired: at === folder });
    // A SKILL.md that is not a valid skill is a supporting file of the skill around it.
    const own = frontmatter === undefined ? outer : files;
    if (main !== undefined) own.push(main.file);
    for (const one of names) {
      const path = below(at, one.name);
      if (one.isDirectory()) visit(path, depth + 1, own);
      else if (one.name !== skillFile) own.push(readOne(scan, path, bounds).file);
    }
    if (frontmatter === undefined) return;
    skills.push({ uri: uriOf(scan, below(at, skillFile)), frontmatter, files, isDynamic: false });
  };
  visit(folder, 0, []);
  return skills;
}

/** A file, and the bytes that its digest covers. */
interface ReadFile {
  readonly file: ServedFile;
  readonly path: string;
  readonly bytes: Uint8Array;
}

function readOne(scan: Scan, path: string, bounds: { files: number; bytes: number }): ReadFile {
  bounds.files++;
  if (bounds.files > skillLimits.files)
    throw new RangeError(`${join(scan.root, path)}: a skill has at most ${skillLimits.files} files.`);
  const absolute = join(scan.root, path);
  const bytes = readFileUpTo(absolute, skillLimits.bytes - bounds.bytes);
  bounds.bytes += bytes.length;
  const digest = sha256(bytes);
  const file = scan.makeFile({
    uri: uriOf(scan, path),
    mimeType: mediaTypeOf(path),
    size: bytes.length,
    digest: () => digest,
    path: absolute,
  });
  return { file, path: absolute, bytes };
}

/** Returns the frontmatter of a skill; undefined if a nested `SKILL.md` is not a valid skill. */
function frontmatterOf(
  { path, bytes }: ReadFile,
  { folder, isRequired }: { readonly folder: string; readonly isRequired: boolean },
): SkillFrontmatter | undefined {
  try {
    const text = textIn(bytes);
    if (text === undefined) throw new SyntaxError('it is not text in UTF-8');
    const { frontmatter } = readFrontmatter(text);
    const problem = frontmatterProblem(frontmatter);
    if (problem !== undefined) throw new TypeError(problem);
    const expected = folder.slice(folder.lastIndexOf('/') + 1);
    if (frontmatter.name !== expected)
      throw new TypeError(
        `the name is ${JSON.stringify(frontmatter.name)}, and its folder is ${JSON.stringify(expected)}: make them equal`,
      );
    return frontmatter as SkillFrontmatter;
  } catch (error) {
    if (!isRequired) return undefined;
    const { message } = error as Error;
    throw new TypeError(`${path}: ${message}${/[.!?]$/.test(message) ? '' : '.'}`, { cause: error });
  }
}

/** Returns what is in a folder of skills; a folder that cannot be read is reported, and has nothing. */
function namesBelow(scan: Scan, folder: string, report: Report): readonly Dirent[] {
  try {
    return namesIn(scan, folder, report);
  } catch (error) {
    if (folder === '') throw error;
    report(error);
    return [];
  }
}

/**
 * Returns what is in a folder, in the order of names, without names that begin with a dot.
 * @param report - receives the problem of each name that cannot be served, which is an error without it.
 */
function namesIn(scan: Scan, folder: string, report?: Report): readonly Dirent[] {
  const path = join(scan.root, folder);
  const names: Dirent[] = [];
  const directory = opendirSync(path);
  try {
    for (let one = directory.readSync(); one !== null; one = directory.readSync()) {
      if (one.name.startsWith('.')) continue;
      if (names.length >= mostNames) throw new RangeError(`${path} has more than ${mostNames} names.`);
      const problem = servingProblem(join(path, one.name), one);
      if (problem === undefined) names.push(one);
      else if (report === undefined) throw problem;
      else report(problem);
    }
  } finally {
    directory.closeSync();
  }
  return names.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function servingProblem(path: string, one: Dirent): TypeError | undefined {
  if (one.isSymbolicLink())
    return new TypeError(
      `${path} is a symbolic link, which could lead out of the folder. Copy the file here.`,
    );
  if (!one.isFile() && !one.isDirectory()) return new TypeError(`${path} is neither a file nor a folder.`);
  const problem =
    segmentProblem(one.name) ?? (/\p{Surrogate}|\uFFFD/u.test(one.name) ? 'is not text in UTF-8' : undefined);
  return problem === undefined
    ? undefined
    : new TypeError(`${path}: the name ${JSON.stringify(one.name)} ${problem}.`);
}

function uriOf({ scheme }: Scan, path: string): string {
  return `${scheme}://${encodePath(path)}`;
}

function below(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
