import { stat } from 'node:fs/promises';
import { type ClientEnvironment, pathsOf } from '../clients/client-environment.js';
import { ConfigError } from '../config-error.js';
import { defaultName } from '../entries/default-name.js';
import { commandEntry, type ServerEntry } from '../entries/server-entry.js';
import { literal, type Template, templateOf, templateText } from '../entries/template.js';

/** The words and options that describe a server to install. Texts may refer to variables: `${NAME}`. */
export interface ServerSource {
  /** A URL, or a TypeScript or JavaScript file. */
  readonly word?: string;
  /** The command and its arguments. */
  readonly command?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly transport?: 'auto' | 'http' | 'sse';
}

/** A server to install, and the name that it gets by default. */
export interface NamedEntry {
  readonly entry: ServerEntry;
  readonly name: string;
}

/**
 * Returns a server from a URL, a file or a command; undefined if the word is none of them, and may be a name.
 * @throws ConfigError if the file does not exist, or an option does not fit the server.
 */
export async function sourceEntry(
  { word, command = [], env = {}, headers = {}, transport = 'auto' }: ServerSource,
  environment: ClientEnvironment,
): Promise<NamedEntry | undefined> {
  const template = (text: string) => referring(text, environment);
  const values = mapped(env, template);
  if (command.length > 0) {
    const entry = { ...commandEntry(command, values), args: command.slice(1).map(template) };
    return { entry, name: defaultName({ command }, environment) };
  }
  if (word === undefined) return undefined;
  if (/^https?:\/\//i.test(word)) {
    if (!URL.canParse(word)) throw new ConfigError(`"${word}" is not a valid URL.`);
    if (Object.keys(env).length > 0)
      throw new ConfigError('A server with a URL has no variables.', { hint: 'Use --header.' });
    return {
      entry: { kind: 'url', url: template(word), headers: mapped(headers, template), transport },
      name: defaultName({ url: word }, environment),
    };
  }
  const [, extension] = /\.([cm]?[jt]s)$/.exec(word) ?? [];
  if (extension === undefined) return undefined;
  const file = pathsOf(environment).resolve(environment.cwd, word);
  const isFile = await stat(file).then(
    (stats) => stats.isFile(),
    () => false,
  );
  if (!isFile) throw new ConfigError(`There is no file ${file}.`);
  // It runs a program, and also a file that only exports its server.
  const start = extension.endsWith('ts') ? ['npx', '-y', 'tenon', 'dev', '--stdio', file] : ['node', file];
  return { entry: commandEntry(start, values), name: defaultName({ file }, environment) };
}

/**
 * Returns the words of a command that are paths relative to the working folder, where a client does not start the command.
 * Only paths of existing files and folders count.
 */
export async function relativePaths(entry: ServerEntry, environment: ClientEnvironment): Promise<string[]> {
  if (entry.kind === 'url') return [];
  const paths = pathsOf(environment);
  const words = [entry.command, ...entry.args].map(templateText);
  const candidates = words.filter((word) => /^(?!-)[^$]*[./\\]/.test(word) && !paths.isAbsolute(word));
  const existing = await Promise.all(
    candidates.map((word) =>
      stat(paths.resolve(environment.cwd, word)).then(
        () => word,
        () => undefined,
      ),
    ),
  );
  return existing.filter((word) => word !== undefined);
}

/** Returns a text of the command line as a template: `${NAME}` refers to a variable of the client. */
function referring(text: string, environment: ClientEnvironment): Template {
  const places = { environment, folder: environment.cwd };
  const template = templateOf(text, 'braces', places);
  return template.length === 0 ? literal(text) : template;
}

function mapped(
  values: Readonly<Record<string, string>>,
  template: (text: string) => Template,
): Record<string, Template> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, template(value)]));
}
