import { isUrl } from '@tenon/mcp-protocol/internal';
import { examplesOf, shapeOf } from './example.js';
import { parseParts } from './parse.js';
import { toProgram } from './program.js';
import { run } from './run.js';
import { type MatchedValues, readValues } from './values.js';

/** The most characters of a URI; longer URIs match no template. */
export const maxUriLength = 8_192;

/** A parsed RFC 6570 template of any level. */
export interface UriTemplate {
  readonly text: string;
  /** Names in order of appearance, each once. */
  readonly variables: readonly string[];
  /** Equal for two templates that match the same URIs, whatever the names of their variables. */
  readonly shape: string;
  /**
   * Returns the variables' decoded values if the URI matches the template, in an object without a prototype. A variable matches as
   * much as it can; a plain one stops at `/`, `?` and `#`, only `{+name}` continues; `{name*}` returns a list. Parameters
   * of `{?a,b}` may be in any order and may be missing. Values may contain `/` and `..`.
   */
  match(uri: string): MatchedValues | undefined;
}

/**
 * Parses a URI template.
 *
 * @throws TypeError if the template is broken; the message says what to change.
 * @see https://www.rfc-editor.org/rfc/rfc6570
 */
export function parseTemplate(text: string): UriTemplate {
  const parts = parseParts(text).map((part) => (typeof part === 'string' ? (inAscii(part) ?? part) : part));
  const { steps, captures } = toProgram(parts);
  const names = new Set<string>();
  for (const part of parts)
    if (typeof part === 'object') for (const { name } of part.variables) names.add(name);
  const variables = [...names];
  const beginning = typeof parts[0] === 'string' ? parts[0] : '';
  return {
    text,
    variables,
    shape: shapeOf(parts),
    match(uri) {
      if (uri.length > maxUriLength) return undefined;
      const ascii = inAscii(uri);
      if (ascii === undefined || !ascii.startsWith(beginning)) return undefined;
      const marks = run(steps, ascii);
      return marks === undefined ? undefined : readValues(captures, marks, ascii);
    },
  };
}

/**
 * Returns the problem of a template without any readable URI; undefined if it is usable.
 */
export function reachProblem(template: UriTemplate): string | undefined {
  const examples = examplesOf(parseParts(template.text));
  const absolute = examples.filter((uri) => isUrl(uri));
  if (absolute.length === 0)
    return `gives URIs such as ${JSON.stringify(examples[1])}, which are not absolute; begin with a scheme, as notes://{id} does`;
  if (absolute.some((uri) => template.match(uri) !== undefined)) return undefined;
  return `does not fit its own URIs, such as ${JSON.stringify(absolute[0])}; take apart what runs together`;
}

/** Returns the text with non-ASCII characters percent-encoded; undefined if it is not well-formed Unicode. */
function inAscii(text: string): string | undefined {
  try {
    return text.replace(/[\u0080-\u{10ffff}]+/gu, encodeURIComponent);
  } catch {
    return undefined;
  }
}
