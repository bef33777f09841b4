import { stat } from 'node:fs/promises';
import { type ClientEnvironment, pathsOf } from '../clients/client-environment.js';
import { ConfigError } from '../config-error.js';
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
    return { entry, name: commandName(command, environment) };
  }
  if (word === undefined) return undefined;
  if (/^https?:\/\//i.test(word)) {
    if (!URL.canParse(word)) throw new ConfigError(`"${word}" is not a valid URL.`);
    if (Object.keys(env).length > 0)
      throw new ConfigError('A server with a URL has no variables.', { hint: 'Use --header.' });
    return {
      entry: { kind: 'url', url: template(word), headers: mapped(headers, template), transport },
      name: urlName(word),
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
  return { entry: commandEntry(start, values), name: fileName(file, environment) };
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

/** `https://mcp.linear.app/mcp` is `linear`, and `http://127.0.0.1:3000/mcp` is `localhost-3000`. */
function urlName(url: string): string {
  const { hostname: host, port } = new URL(url);
  const hostname = /^127\.|^\[::1\]$/.test(host) ? 'localhost' : host;
  const labels = hostname.split('.');
  const isName = labels.length > 1 && !/^[\d.]+$|:/.test(hostname);
  const own = labels.slice(0, -1).filter((label) => !['mcp', 'www', 'api', 'server'].includes(label));
  return nameOf((isName ? own.at(-1) : undefined) ?? (port === '' ? hostname : `${hostname}-${port}`));
}

/** `npx -y @scope/server-files@1` is `server-files`, and `node dist/server.js` is called after its folder. */
function commandName([command = '', ...args]: readonly string[], environment: ClientEnvironment): string {
  const word = args.find((arg) => !arg.startsWith('-') && !['run', 'dlx', 'exec', 'x'].includes(arg));
  if (word === undefined || /^(?:docker|podman)$/.test(command))
    return nameOf(
      args
        .at(-1)
        ?.replace(/^.*\//, '')
        .replace(/[:@].*$/, '') ?? pathsOf(environment).basename(command),
    );
  if (/\.(?:[cm]?[jt]sx?|py|rb|sh|jar)$/.test(word))
    return fileName(pathsOf(environment).resolve(environment.cwd, word), environment);
  return nameOf(word.replace(/(.)@.*$/, '$1').replace(/^.*\//, ''));
}

function fileName(file: string, environment: ClientEnvironment): string {
  const paths = pathsOf(environment);
  const name = paths.basename(file).replace(/\.\w+$/, '');
  if (!/^(?:server|index|main|stdio|cli)$/.test(name)) return nameOf(name);
  const folders = paths.dirname(file).split(paths.sep);
  return nameOf(
    folders.filter((one) => !['src', 'dist', 'build', 'bin', 'lib', 'out'].includes(one)).at(-1) ?? name,
  );
}

function nameOf(text: string): string {
  const name = text
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 64);
  return name === '' ? 'server' : name;
}
