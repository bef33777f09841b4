import { skillFile } from './skill.js';

/** The parts of the URI of a `SKILL.md`. */
interface SkillUri {
  /** The URI of the folder, without a slash at its end. */
  readonly root: string;
  /** The last segment of the folder: the name of the skill. */
  readonly name: string;
}

const longestUri = 8_192;
const deepest = 64;
const scheme = /^[a-z][a-z0-9+.-]*:\/\//i;
const nameRule = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const unsafe = /[\p{Cc}\\/]/u;

/** Returns the problem of a skill's name, to follow "the name"; undefined if the Agent Skills rules allow the name. */
export function nameProblem(name: unknown): string | undefined {
  if (typeof name === 'string' && name.length <= 64 && nameRule.test(name)) return undefined;
  return 'must have 1 to 64 characters a-z, 0-9 and single hyphens between them';
}

/** Returns the problem of a decoded path segment, to follow the segment; undefined if it is valid. */
export function segmentProblem(segment: string): string | undefined {
  if (segment === '' || segment === '.' || segment === '..') return 'is not a name of a file or folder';
  if (unsafe.test(segment)) return 'has a slash, a backslash or a control character';
  return undefined;
}

/** Returns the decoded segments of a path of percent-encoded segments; undefined if one is unsafe or malformed. */
export function segmentsOf(path: string): readonly string[] | undefined {
  if (path.length > longestUri || /[?#\s]/.test(path)) return undefined;
  const segments = path.split('/');
  if (segments.length > deepest) return undefined;
  try {
    const decoded = segments.map((segment) => decodeURIComponent(segment));
    return decoded.some((segment) => segmentProblem(segment) !== undefined) ? undefined : decoded;
  } catch {
    return undefined;
  }
}

/** Returns the parts of the URI of a `SKILL.md`; undefined for any other text. */
export function readSkillUri(uri: unknown): SkillUri | undefined {
  if (typeof uri !== 'string' || uri.length > longestUri || !uri.endsWith(`/${skillFile}`)) return undefined;
  const [head] = scheme.exec(uri) ?? [];
  const segments = head === undefined ? undefined : segmentsOf(uri.slice(head.length));
  const name = segments?.at(-2);
  if (name === undefined || nameProblem(name) !== undefined) return undefined;
  return { root: uri.slice(0, -skillFile.length - 1), name };
}

/** Returns the path of a file below a folder, decoded, with `/` between segments; undefined if it is not inside. */
export function pathWithin(root: string, uri: string): string | undefined {
  if (!uri.startsWith(`${root}/`)) return undefined;
  return segmentsOf(uri.slice(root.length + 1))?.join('/');
}

/** Returns the path as part of a URI: each segment percent-encoded. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
