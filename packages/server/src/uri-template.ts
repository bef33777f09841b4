import { isUrl } from '@tenon/mcp-protocol/internal';
import { examplesOf, shapeOf } from './uri-templates/example.js';
import { parseParts } from './uri-templates/parse.js';
import { toProgram } from './uri-templates/program.js';
import { run } from './uri-templates/run.js';
import { type MatchedValues, readValues } from './uri-templates/values.js';

/** URIs longer than this many characters match no template. */
export const maxUriLength = 8_192;

/** A parsed RFC 6570 template of any level. */
export interface UriTemplate {
  readonly text: string;
  /** Names in order of appearance, each once. */
  readonly variables: readonly string[];
  /** The same for two templates that fit the same URIs, whatever their variables are called. */
  readonly shape: string;
  /**
   * The variables' decoded values if the URI fits the template, in an object without a prototype. A variable takes as
   * much as it can; a plain one stops at `/`, `?` and `#`, only `{+name}` goes on; `{name*}` gives a list. Parameters
   * of `{?a,b}` come in any order, and what the URI leaves out is left out. Values may hold `/` and `..`.
   */
  match(uri: string): MatchedValues | undefined;
}

/**
 * Parses a URI template.
 *
 * @throws TypeError when the template is broken; the message says what to change.
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
 * What is wrong with a template that no URI fits which a client could read; undefined for a usable one.
 */
export function reachFlaw(template: UriTemplate): string | undefined {
  const examples = examplesOf(parseParts(template.text));
  const absolute = examples.filter((uri) => isUrl(uri));
  if (absolute.length === 0)
    return `gives URIs such as ${JSON.stringify(examples[1])}, which are not absolute; begin with a scheme, as notes://{id} does`;
  if (absolute.some((uri) => template.match(uri) !== undefined)) return undefined;
  return `does not fit its own URIs, such as ${JSON.stringify(absolute[0])}; take apart what runs together`;
}

/** The text with what is not ASCII percent-encoded; undefined when it is not well-formed Unicode. */
function inAscii(text: string): string | undefined {
  try {
    return text.replace(/[\u0080-\u{10ffff}]+/gu, encodeURIComponent);
  } catch {
    return undefined;
  }
}
