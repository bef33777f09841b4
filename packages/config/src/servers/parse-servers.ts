import { isRecord } from '@tenon/foundation';
import { redactText } from '@tenon/foundation/redaction';
import { type ClientEnvironment, clientEnvironment, pathsOf } from '../clients/client-environment.js';
import {
  type ClientFile,
  type EntryStyle,
  type FileScope,
  type McpClient,
  mcpClients,
} from '../clients/client-table.js';
import { ConfigError } from '../config-error.js';
import { readEntry, type ServerEntry } from '../entries/server-entry.js';
import { inputsOf, type ServerInput } from '../entries/server-inputs.js';
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
  /** The values that the entry needs from the user of the server. `values` of `targetOf` has them by their id. */
  readonly inputs: readonly ServerInput[];
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

/** The part of a file that lists servers for one client; without a client, of a file that the user named. */
export type ServerSection = ClientFile & { readonly client?: string };

/** Returns the parts of all files of known clients that list servers, in the order of clients and files. */
export function knownSections(environment: ClientEnvironment): readonly ServerSection[] {
  return mcpClients.flatMap((client) =>
    distinctFiles(client, environment).map((file) => ({ ...file, client: client.id })),
  );
}

/** Returns the files of a client. In the home folder, the file of the project is that of the user. */
function distinctFiles(client: McpClient, environment: ClientEnvironment): readonly ClientFile[] {
  const files = client.files(environment);
  const own = new Set(files.filter(({ scope }) => scope === 'user').map(({ path }) => path));
  return files.filter(({ scope, path }) => scope !== 'project' || !own.has(path));
}

/** The members of a file, or the reason why it cannot be used. */
export interface FileContent {
  readonly value: unknown;
  readonly problem?: ConfigProblem;
}

/** Parses the text of a file. The format follows from the name of the file if none is given. */
export async function contentOf(
  text: string,
  file: string,
  format: FileFormat = formatOf(file),
): Promise<FileContent> {
  try {
    return { value: await parseConfig(format, text) };
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    return { value: undefined, problem: { file, line: error.line, message: error.message } };
  }
}

/**
 * Returns the servers in the text of a file, in the format of any client: JSON, TOML or YAML. It reads no file.
 * @param path - of the file: its extension names the format, and messages name it.
 * @throws ConfigError if the text is malformed, or contains no servers.
 */
export async function parseServers(
  text: string,
  path: string,
  environment: ClientEnvironment = clientEnvironment(),
): Promise<ConfiguredServers> {
  const file = pathsOf(environment).resolve(environment.cwd, path);
  const content = await contentOf(text, file);
  if (content.problem !== undefined) throw new ConfigError(problemText(content.problem));
  const section = sectionIn(content.value, file, environment);
  if (section !== undefined) return serversIn(content.value, section, environment);
  throw new ConfigError(`${file} ${noServers}.`, {
    hint: 'A file lists servers under "mcpServers", "servers", "mcp_servers" or "extensions".',
  });
}

/** The problem of a file that the user named and that has none of the sections. */
export const noServers = 'contains no servers';

/** Returns the part of a file that the user named that lists servers; undefined if there is none. */
export function sectionIn(
  value: unknown,
  path: string,
  environment: ClientEnvironment,
): ServerSection | undefined {
  const section = sections.find(({ keys }) => isRecord(memberAt(value, keys)));
  if (section === undefined) return undefined;
  const style = section.style === 'standard' ? standardStyle(path, environment) : section.style;
  return { path, format: formatOf(path), scope: 'user', keys: section.keys, style };
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

export function formatOf(path: string): FileFormat {
  if (/\.toml$/i.test(path)) return 'toml';
  return /\.ya?ml$/i.test(path) ? 'yaml' : 'json';
}

/** Servers that are read from one file, at most. */
const maxServers = 1_000;

/** The servers of one section. */
export interface SectionServers extends ConfiguredServers {
  /** False if the file has the section, but not as an object: it lists no servers, and may have had some. */
  readonly isUsable: boolean;
}

/** Reads the servers of a section. An entry that cannot be used is a problem. */
export function serversIn(
  value: unknown,
  { path, scope, style, client, keys }: ServerSection,
  environment: ClientEnvironment,
): SectionServers {
  const section = memberAt(value, keys);
  if (section === undefined || section === null) return { servers: [], problems: [], isUsable: true };
  if (!isRecord(section)) {
    const problem = { file: path, message: `"${keys.join('.')}" is not an object` };
    return { servers: [], problems: [problem], isUsable: false };
  }
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
    else {
      const inputs = inputsOf(entry, memberAt(value, ['inputs']));
      servers.push({ name, client, file: path, scope, folder, entry, inputs, isDisabled: isDisabled(one) });
    }
  }
  return { servers, problems, isUsable: true };
}

function isDisabled(value: unknown): boolean {
  return isRecord(value) && (value.disabled === true || value.enabled === false);
}
