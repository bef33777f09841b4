import { windowsPathProblem } from './windows-path.js';

/** The rules of paths: of Windows, or of all other systems. */
export type PathRules = 'windows' | 'posix';

/** A usable path from a peer, or its problem, to follow "The path". */
export type WirePath =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly problem: string };

/** The most characters of a path. */
export const longestPath = 4_096;

const scheme = /^[a-z][a-z0-9+.-]+:/i;
const encodedSeparator = /%(?:2f|5c)/i;

/**
 * Reads a path or `file:` URI from a peer, without file access. Parent steps (`..`) are kept: the starting folder decides
 * if they lead outside.
 */
export function readWirePath(text: unknown, rules: PathRules): WirePath {
  const problem = textProblem(text);
  if (problem !== undefined) return { ok: false, problem };
  const given = text as string;
  // An encoded separator is unusual in a path and dangerous in a URI: a second decoding must not change the path.
  if (encodedSeparator.test(given)) return { ok: false, problem: 'has an encoded separator (%2F or %5C)' };
  if (/^file:/i.test(given)) return readFileUri(given, rules);
  // One letter and a colon are a drive, more letters are a scheme.
  if (scheme.test(given) && (rules === 'windows' || given.includes('://'))) {
    return { ok: false, problem: 'is a URI, but no file: URI' };
  }
  return ruled(given, rules);
}

function textProblem(text: unknown): string | undefined {
  if (typeof text !== 'string') return 'must be text';
  if (text === '') return 'is empty';
  if (text.length > longestPath) return `is longer than ${longestPath} characters`;
  if (hasControls(text)) return 'has control characters';
  return /\p{Surrogate}/u.test(text) ? 'is not valid Unicode' : undefined;
}

function readFileUri(uri: string, rules: PathRules): WirePath {
  const bad = (problem: string): WirePath => ({ ok: false, problem });
  const [, host, path] = /^file:\/\/([^/\\?#]*)(\/[^?#\\]*)$/i.exec(uri) ?? [];
  if (host === undefined || path === undefined) {
    return bad(
      'is not a plain file: URI: it takes file:///folder/file, without query, fragment or backslash',
    );
  }
  if (host !== '' && host.toLowerCase() !== 'localhost') return bad('is on another host');
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return bad('has an escape that is not UTF-8');
  }
  if (hasControls(decoded)) return bad('has control characters');
  // Double escape: "%252f".
  if (encodedSeparator.test(decoded)) return bad('has an encoded separator (%2F or %5C)');
  if (rules === 'posix') return ruled(decoded, rules);
  return /^\/[a-z]:\//i.test(decoded) ? ruled(decoded.slice(1), rules) : bad('names no drive');
}

function ruled(path: string, rules: PathRules): WirePath {
  const problem = rules === 'windows' ? windowsPathProblem(path) : undefined;
  return problem === undefined ? { ok: true, path } : { ok: false, problem };
}

function hasControls(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

/**
 * True if an absolute path is a folder or is below it. Both must be real paths: nothing is resolved here, and only
 * the letter of a drive may differ in case.
 */
export function isWithin(folder: string, path: string, rules: PathRules): boolean {
  const separator = rules === 'windows' ? '\\' : '/';
  const outer = normalDrive(folder, rules);
  const inner = normalDrive(path, rules);
  if (outer === inner) return true;
  return inner.startsWith(outer.endsWith(separator) ? outer : outer + separator);
}

function normalDrive(path: string, rules: PathRules): string {
  return rules === 'windows' && path[1] === ':' ? path.slice(0, 1).toUpperCase() + path.slice(1) : path;
}
