import { printableText } from '@tenon/foundation';
import { type ClientEnvironment, pathsOf } from '../clients/client-environment.js';

/** A part of a text that is filled in when the server is used. */
export type Reference =
  | { readonly variable: string; readonly fallback?: string }
  /** An answer that VS Code asks its user for. */
  | { readonly input: string }
  /** A reference that only the client itself can fill in, as it is written. */
  | { readonly unknown: string };

/** A text with references. */
export type Template = readonly (string | Reference)[];

/** The references that a client fills in: all of `${...}`, also `$NAME`, or none. */
export type TemplateSyntax = 'braces' | 'shell' | 'none';

/** Places that are filled in when a file is read. */
export interface TemplatePlaces {
  readonly environment: ClientEnvironment;
  /** The folder of the project, or the working folder. */
  readonly folder: string;
}

const braces = /\$\{([^{}]*)\}/g;
const shell = /\$\{([^{}]*)\}|\$([A-Za-z_]\w*)/g;
const variable = /^([A-Za-z_]\w*)(?::-(.*))?$/s;

/** Returns a text as a template. Folders are filled in at once. */
export function templateOf(text: string, syntax: TemplateSyntax, places: TemplatePlaces): Template {
  if (syntax === 'none') return text === '' ? [] : [text];
  const parts: (string | Reference)[] = [];
  let end = 0;
  for (const match of text.matchAll(syntax === 'shell' ? shell : braces)) {
    add(parts, text.slice(end, match.index));
    const [whole, inside, plain] = match;
    add(parts, plain === undefined ? referenceOf(inside ?? '', whole, places) : { variable: plain });
    end = match.index + whole.length;
  }
  add(parts, text.slice(end));
  return parts;
}

/** Returns a template of a text that has no references. */
export function literal(text: string): Template {
  return text === '' ? [] : [text];
}

/** Returns the text of a template with references as they are written on the command line: `${NAME}`. */
export function templateText(template: Template): string {
  return template.map((part) => (typeof part === 'string' ? part : referenceText(part))).join('');
}

/** Returns the references of a template. */
export function referencesIn(template: Template): Reference[] {
  return template.filter((part) => typeof part !== 'string');
}

function referenceText(reference: Reference): string {
  if ('unknown' in reference) return reference.unknown;
  if ('input' in reference) return `\${input:${reference.input}}`;
  const { variable: name, fallback } = reference;
  return fallback === undefined ? `\${${name}}` : `\${${name}:-${fallback}}`;
}

function referenceOf(
  inside: string,
  whole: string,
  { environment, folder }: TemplatePlaces,
): string | Reference {
  const paths = pathsOf(environment);
  const [, kind, name] = /^(env|input):(.+)$/s.exec(inside) ?? [];
  if (kind === 'input' && name !== undefined) return { input: name };
  if (kind === 'env' && name !== undefined) {
    const [, id = name, fallback] = /^(.*?):-(.*)$/s.exec(name) ?? [];
    return fallback === undefined ? { variable: id } : { variable: id, fallback };
  }
  switch (inside) {
    case 'workspaceFolder':
      return folder;
    case 'workspaceFolderBasename':
      return paths.basename(folder);
    case 'userHome':
      return environment.home;
    case 'pathSeparator':
    case '/':
      return paths.sep;
  }
  const [, id, fallback] = variable.exec(inside) ?? [];
  if (id === undefined) return { unknown: whole };
  return fallback === undefined ? { variable: id } : { variable: id, fallback };
}

function add(parts: (string | Reference)[], part: string | Reference): void {
  const last = parts.at(-1);
  if (part === '') return;
  if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part;
  else parts.push(part);
}

/** Returns words as a line for a shell, to show or to copy. */
export function commandLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : quoted(word))).join(' ');
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Returns a text of a file as one line for people: without control characters, and with visible line ends. */
export function visibleText(text: string): string {
  return printableText(text.replaceAll('\r', '\\r').replaceAll('\n', '\\n'));
}
