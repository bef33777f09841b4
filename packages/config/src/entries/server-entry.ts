import { isRecord } from '@tenon/foundation';
import type { EntryStyle } from '../clients/client-table.js';
import {
  literal,
  type Reference,
  referencesIn,
  type Template,
  type TemplatePlaces,
  type TemplateSyntax,
  templateOf,
} from './template.js';

/** A server of a configuration file that has a URL. */
export interface UrlEntry {
  readonly kind: 'url';
  readonly url: Template;
  readonly headers: Readonly<Record<string, Template>>;
  readonly transport: 'auto' | 'http' | 'sse';
}

/** A server of a configuration file that is started by a command. */
export interface CommandEntry {
  readonly kind: 'command';
  readonly command: Template;
  readonly args: readonly Template[];
  readonly env: Readonly<Record<string, Template>>;
  /** A file with further variables, one `NAME=value` a line. */
  readonly envFile?: Template;
  readonly cwd?: Template;
}

/** A server of a configuration file, before its references are filled in. */
export type ServerEntry = UrlEntry | CommandEntry;

const syntaxes: Readonly<Record<EntryStyle, TemplateSyntax>> = {
  standard: 'braces',
  vscode: 'braces',
  cursor: 'braces',
  gemini: 'shell',
  // These clients pass all texts on as they are.
  codex: 'none',
  goose: 'none',
  desktop: 'none',
  inspector: 'none',
};

/** Returns an entry of a file as a server, or the reason why that is impossible. */
export function readEntry(value: unknown, style: EntryStyle, places: TemplatePlaces): ServerEntry | string {
  if (!isRecord(value)) return 'it is not an object';
  const text = (content: string) => templateOf(content, syntaxes[style], places);
  const reader = new EntryReader(value, text);
  const type = reader.string('type');
  if (type !== undefined && !knownTypes.has(type)) return unknownType(type, style);
  const entry = reader.has('command') || reader.has('cmd') ? readCommand(reader) : readUrl(reader, type);
  return reader.problem ?? entry;
}

const knownTypes = new Set([
  ...['stdio', 'http', 'sse', 'streamable-http', 'streamable_http', 'streamableHttp', 'local', 'remote'],
]);

function unknownType(type: string, style: EntryStyle): string {
  if (style === 'goose' && ['builtin', 'platform', 'frontend', 'inline_python'].includes(type))
    return `the type "${type}" runs inside Goose`;
  return `the type ${JSON.stringify(type.slice(0, 60))} is unknown`;
}

function readCommand(reader: EntryReader): CommandEntry | string {
  const command = reader.template('command') ?? reader.template('cmd');
  if (command === undefined || command.length === 0) return 'its command is empty';
  const envFile = reader.template('envFile');
  const cwd = reader.template('cwd');
  const forwarded = [...reader.names('env_vars'), ...reader.names('env_keys')];
  return {
    kind: 'command',
    command,
    args: reader.templates('args'),
    env: {
      ...Object.fromEntries(forwarded.map((name) => [name, [{ variable: name }]])),
      ...reader.record('env'),
      ...reader.record('envs'),
    },
    ...(envFile !== undefined && { envFile }),
    ...(cwd !== undefined && { cwd }),
  };
}

function readUrl(reader: EntryReader, type: string | undefined): UrlEntry | string {
  const isHttp = reader.has('httpUrl');
  const url =
    reader.template('httpUrl') ??
    reader.template('url') ??
    reader.template('uri') ??
    reader.template('serverUrl');
  if (url === undefined || url.length === 0) return 'it has neither a command nor a URL';
  const token = reader.string('bearer_token_env_var');
  const headers = {
    ...reader.record('headers'),
    ...reader.record('http_headers'),
    ...reader.variables('env_http_headers'),
    ...(token !== undefined && { authorization: ['Bearer ', { variable: token }] as Template }),
  };
  const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { kind: 'url', url, headers: Object.fromEntries(lowered), transport: transportOf(type, isHttp) };
}

/** HTTP is detected with its older form, as clients do: only `sse` names the older form for sure. */
function transportOf(type: string | undefined, isHttp: boolean): UrlEntry['transport'] {
  if (type === 'sse') return 'sse';
  return isHttp || type?.startsWith('streamable') === true ? 'http' : 'auto';
}

/** Reads members of an entry, and remembers the first that is wrong. */
class EntryReader {
  problem: string | undefined;
  readonly #value: object;
  readonly #text: (content: string) => Template;

  constructor(value: object, text: (content: string) => Template) {
    this.#value = value;
    this.#text = text;
  }

  has(name: string): boolean {
    return this.#get(name) !== undefined;
  }

  string(name: string): string | undefined {
    const value = this.#get(name);
    if (value === undefined || typeof value === 'string') return value;
    return this.#wrong(name, 'is not a text');
  }

  template(name: string): Template | undefined {
    const value = this.string(name);
    return value === undefined ? undefined : this.#text(value);
  }

  templates(name: string): Template[] {
    return this.#strings(name).map(this.#text);
  }

  names(name: string): string[] {
    // Codex also allows objects with a source, which only Codex can read.
    const value = this.#get(name);
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  }

  record(name: string): Record<string, Template> {
    const entries = this.#entries(name).map(([key, value]) => [key, this.#text(value)]);
    return Object.fromEntries(entries) as Record<string, Template>;
  }

  /** Reads a record of names of variables. */
  variables(name: string): Record<string, Template> {
    return Object.fromEntries(this.#entries(name).map(([key, value]) => [key, [{ variable: value }]]));
  }

  #entries(name: string): [string, string][] {
    const value = this.#get(name);
    if (value === undefined) return [];
    if (!isRecord(value)) {
      this.#wrong(name, 'is not an object');
      return [];
    }
    return Object.entries(value).flatMap(([key, one]): [string, string][] => {
      if (typeof one === 'string') return [[key, one]];
      // Clients turn numbers and flags into texts.
      if (typeof one === 'number' || typeof one === 'boolean') return [[key, String(one)]];
      if (one !== null) this.#wrong(`${name}.${key}`, 'is not a text');
      return [];
    });
  }

  #strings(name: string): string[] {
    const value = this.#get(name);
    if (value === undefined) return [];
    if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
    if (Array.isArray(value) && value.every((one) => ['string', 'number'].includes(typeof one)))
      return value.map(String);
    this.#wrong(name, 'is not a list of texts');
    return [];
  }

  #get(name: string): unknown {
    const value: unknown = Object.hasOwn(this.#value, name) ? Reflect.get(this.#value, name) : undefined;
    return value === null ? undefined : value;
  }

  #wrong(name: string, what: string): undefined {
    this.problem ??= `"${name.slice(0, 60)}" ${what}`;
  }
}

/** Returns the references of an entry, in the order of its parts. */
export function referencesOf(entry: ServerEntry): Reference[] {
  if (entry.kind === 'url') return [entry.url, ...Object.values(entry.headers)].flatMap(referencesIn);
  const { command, args, env, cwd = [], envFile = [] } = entry;
  return [command, ...args, ...Object.values(env), cwd, envFile].flatMap(referencesIn);
}

/** Returns a command and its arguments as an entry without references. */
export function commandEntry(
  [command = '', ...args]: readonly string[],
  env: Readonly<Record<string, Template>> = {},
): CommandEntry {
  return { kind: 'command', command: literal(command), args: args.map(literal), env };
}
