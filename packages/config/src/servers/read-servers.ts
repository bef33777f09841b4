import { isRecord } from '@tenon/foundation';
import { redactText } from '@tenon/foundation/redaction';
import { type ClientEnvironment, pathsOf } from '../clients/client-environment.js';
import {
  type ClientFile,
  type EntryStyle,
  type FileScope,
  type McpClient,
  mcpClients,
} from '../clients/client-table.js';
import { ConfigError } from '../config-error.js';
import { readConfigFile } from '../config-file.js';
import { readEntry, type ServerEntry } from '../entries/server-entry.js';
import { commandLine, templateText } from '../entries/template.js';
import { type FileFormat, memberAt, SyntaxProblem } from '../formats/config-syntax.js';
import { parseConfig } from '../formats/config-text.js';

/** A server of a configuration file. Its name is data of the file: any text. */
export interface ConfiguredServer {
  readonly name: string;
  /** The id of the client that reads the file; undefined for a file that the user named. */
  readonly client: string | undefined;
  readonly file: string;
  readonly scope: FileScope;
  /** The folder of the project, or the working folder. */
  readonly folder: string;
  readonly entry: ServerEntry;
  /** True if the client does not start the server. */
  readonly isDisabled: boolean;
}

/** A file, or an entry of a file, that cannot be used. */
export interface ConfigProblem {
  readonly file: string;
  /** Counted from 1. */
  readonly line?: number;
  /** The name of the entry; undefined for the whole file. */
  readonly server?: string;
  readonly message: string;
}

/** The servers of configuration files, in the order of clients and files. */
export interface ConfiguredServers {
  readonly servers: readonly ConfiguredServer[];
  readonly problems: readonly ConfigProblem[];
}

/** Returns the files of a client. In the home folder, the file of the project is that of the user. */
function distinctFiles(client: McpClient, environment: ClientEnvironment): readonly ClientFile[] {
  const files = client.files(environment);
  const own = new Set(files.filter(({ scope }) => scope === 'user').map(({ path }) => path));
  return files.filter(({ scope, path }) => scope !== 'project' || !own.has(path));
}

/** Servers that are read from one file, at most. */
const maxServers = 1_000;

/**
 * Reads the servers of all known clients. A file that cannot be used is reported, and does not prevent reading the others.
 * It never starts a server.
 */
export async function readServers(environment: ClientEnvironment): Promise<ConfiguredServers> {
  const files = mcpClients.flatMap((client) =>
    distinctFiles(client, environment).map((file) => ({ ...file, client: client.id })),
  );
  const contents = new Map<string, Promise<FileContent>>();
  const read = (file: ClientFile) => {
    const known = contents.get(file.path) ?? contentOf(file.path, file.format);
    contents.set(file.path, known);
    return known;
  };
  const lists = await Promise.all(files.map(async (file) => serversIn(await read(file), file, environment)));
  const servers = lists.flatMap((list) => list.servers);
  const problems = new Map(
    lists
      .flatMap((list) => list.problems)
      .map((one) => [`${one.file} ${one.server ?? ''} ${one.message}`, one]),
  );
  return { servers, problems: [...problems.values()] };
}

/**
 * Reads the servers of one file, in the format of any client: JSON, TOML or YAML.
 * @throws ConfigError if the file is missing, cannot be read, or contains no servers.
 */
export async function readServersOf(
  path: string,
  environment: ClientEnvironment,
): Promise<ConfiguredServers> {
  const paths = pathsOf(environment);
  const file = paths.resolve(environment.cwd, path);
  const content = await contentOf(file, formatOf(file));
  if (content.problem !== undefined) throw new ConfigError(problemText(content.problem));
  if (!content.exists) throw new ConfigError(`There is no file ${file}.`);
  const [section] = sections.filter(({ keys }) => isRecord(memberAt(content.value, keys)));
  if (section === undefined) {
    throw new ConfigError(`${file} contains no servers.`, {
      hint: 'A file lists servers under "mcpServers", "servers", "mcp_servers" or "extensions".',
    });
  }
  const style = section.style === 'standard' ? standardStyle(file, environment) : section.style;
  return serversIn(
    content,
    { path: file, format: formatOf(file), scope: 'user', keys: section.keys, style },
    environment,
  );
}

/** Returns the URL without its query, or the command line, both without secrets. References are shown by name. */
export function summaryOf({ entry }: ConfiguredServer): string {
  if (entry.kind === 'command')
    return redactText(commandLine([entry.command, ...entry.args].map(templateText)));
  const text = templateText(entry.url);
  const [, start = ''] = /^([^?#]*)/.exec(text) ?? [];
  return redactText(start.replace(/^(https?:\/\/)[^/@]*@/i, '$1'));
}

/** Returns a problem as one line. */
export function problemText({ file, line, server, message }: ConfigProblem): string {
  const place = line === undefined ? file : `${file}:${line}`;
  return server === undefined
    ? `${place}: ${message}.`
    : `${place}: the server "${server}" cannot be used: ${message}.`;
}

const sections: readonly { readonly keys: readonly string[]; readonly style: EntryStyle }[] = [
  { keys: ['mcpServers'], style: 'standard' },
  { keys: ['servers'], style: 'vscode' },
  { keys: ['mcp_servers'], style: 'codex' },
  { keys: ['extensions'], style: 'goose' },
];

/** Returns the style of a known file, and otherwise the one with all references. */
function standardStyle(path: string, environment: ClientEnvironment): EntryStyle {
  const known = mcpClients.flatMap(({ files }) => files(environment)).find((file) => file.path === path);
  return known?.style ?? 'standard';
}

function formatOf(path: string): FileFormat {
  if (/\.toml$/i.test(path)) return 'toml';
  return /\.ya?ml$/i.test(path) ? 'yaml' : 'json';
}

interface FileContent {
  readonly exists: boolean;
  readonly value: unknown;
  readonly problem?: ConfigProblem;
}

async function contentOf(file: string, format: FileFormat): Promise<FileContent> {
  try {
    const text = await readConfigFile(file);
    if (text === undefined) return { exists: false, value: undefined };
    return { exists: true, value: await parseConfig(format, text) };
  } catch (error) {
    const value = undefined;
    if (error instanceof SyntaxProblem)
      return { exists: true, value, problem: { file, line: error.line, message: error.message } };
    if (!(error instanceof ConfigError)) throw error;
    const message = error.message.slice(file.length + 1, -1);
    return { exists: true, value, problem: { file, message } };
  }
}

function serversIn(
  { value, problem }: FileContent,
  file: ClientFile & { readonly client?: string },
  environment: ClientEnvironment,
): ConfiguredServers {
  if (problem !== undefined) return { servers: [], problems: [problem] };
  const section = memberAt(value, file.keys);
  if (section === undefined || section === null) return { servers: [], problems: [] };
  const { path, scope, style, client } = file;
  if (!isRecord(section))
    return { servers: [], problems: [{ file: path, message: `"${file.keys.join('.')}" is not an object` }] };
  const folder = environment.cwd;
  const servers: ConfiguredServer[] = [];
  const problems: ConfigProblem[] = [];
  const entries = Object.entries(section);
  if (entries.length > maxServers)
    problems.push({
      file: path,
      message: `only the first ${maxServers} of ${entries.length} servers are read`,
    });
  for (const [name, one] of entries.slice(0, maxServers)) {
    const entry = readEntry(one, style, { environment, folder });
    if (typeof entry === 'string') problems.push({ file: path, server: name, message: entry });
    else servers.push({ name, client, file: path, scope, folder, entry, isDisabled: isDisabled(one) });
  }
  return { servers, problems };
}

function isDisabled(value: unknown): boolean {
  return isRecord(value) && (value.disabled === true || value.enabled === false);
}
