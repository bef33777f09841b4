import { StdUriTemplate } from '@std-uritemplate/std-uritemplate';
import { parseParts } from './uri-templates/parse.js';
import { toProgram } from './uri-templates/program.js';
import { run } from './uri-templates/run.js';
import { type MatchedValues, readValues } from './uri-templates/values.js';

/** URIs longer than this many characters match no template. */
export const maxUriLength = 8_192;

/** Values by variable name. */
export type UriValues = { readonly [variable: string]: string | readonly string[] };

/** A parsed RFC 6570 template of any level. */
export interface UriTemplate {
  readonly text: string;
  /** Names in order of appearance, each once. */
  readonly variables: readonly string[];
  /**
   * The variables' decoded values if the URI fits the template, in an object without a prototype. A variable takes as
   * much as it can; a plain one stops at `/`, `?` and `#`, only `{+name}` goes on; `{name*}` gives a list. Parameters
   * of `{?a,b}` come in any order, and what the URI leaves out is left out. Values may hold `/` and `..`.
   */
  match(uri: string): MatchedValues | undefined;
  /**
   * The URI for these values; a variable without a value is left out.
   *
   * @throws TypeError when a value is neither a string nor a list of strings, or is not well-formed Unicode.
   */
  expand(values: UriValues): string;
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
    match(uri) {
      if (uri.length > maxUriLength) return undefined;
      const ascii = inAscii(uri);
      if (ascii === undefined || !ascii.startsWith(beginning)) return undefined;
      const marks = run(steps, ascii);
      return marks === undefined ? undefined : readValues(captures, marks, ascii);
    },
    expand: (values) => expand(text, variables, values),
  };
}

function expand(text: string, variables: readonly string[], values: UriValues): string {
  const given = Object.create(null) as { [variable: string]: unknown };
  for (const name of variables) {
    const value: unknown = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) continue;
    const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
    if (typeof value !== 'string' && !isList)
      throw new TypeError(`The value of "${name}" must be a string or a list of strings.`);
    given[name] = value;
  }
  try {
    return StdUriTemplate.expand(text, given);
  } catch (cause) {
    throw new TypeError(`The URI template ${JSON.stringify(text)} cannot be filled in with these values.`, {
      cause,
    });
  }
}

/** The text with what is not ASCII percent-encoded; undefined when it is not well-formed Unicode. */
function inAscii(text: string): string | undefined {
  try {
    return text.replace(/\P{ASCII}+/gu, encodeURIComponent);
  } catch {
    return undefined;
  }
}
