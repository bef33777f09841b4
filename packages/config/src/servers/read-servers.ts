import { type ClientEnvironment, clientEnvironment, pathsOf } from '../clients/client-environment.js';
import { ConfigError } from '../config-error.js';
import { readConfigFile } from '../config-file.js';
import {
  type ConfigProblem,
  type ConfiguredServers,
  contentOf,
  type FileContent,
  knownSections,
  parseServers,
  problemText,
  type ServerSection,
  serversIn,
} from './parse-servers.js';

/**
 * Reads the servers of all known clients. A file that cannot be used is reported, and does not prevent reading the others.
 * It never starts a server.
 */
export async function readServers(
  environment: ClientEnvironment = clientEnvironment(),
): Promise<ConfiguredServers> {
  const contents = new Map<string, Promise<FileContent>>();
  const read = (section: ServerSection) => {
    const known = contents.get(section.path) ?? readContent(section);
    contents.set(section.path, known);
    return known;
  };
  const lists = await Promise.all(
    knownSections(environment).map(async (section): Promise<ConfiguredServers> => {
      const { value, problem } = await read(section);
      if (problem !== undefined) return { servers: [], problems: [problem] };
      return serversIn(value, section, environment);
    }),
  );
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
  environment: ClientEnvironment = clientEnvironment(),
): Promise<ConfiguredServers> {
  const file = pathsOf(environment).resolve(environment.cwd, path);
  const { text, problem } = await textOf(file);
  if (problem !== undefined) throw new ConfigError(problemText(problem));
  if (text === undefined) throw new ConfigError(`There is no file ${file}.`);
  return parseServers(text, file, environment);
}

/** Returns the text of a file; undefined if there is none, or if it cannot be read. */
export async function textOf(file: string): Promise<{
  readonly text?: string | undefined;
  readonly problem?: ConfigProblem;
}> {
  try {
    return { text: await readConfigFile(file) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { problem: { file, message: error.message.slice(file.length + 1, -1) } };
  }
}

async function readContent({ path, format }: ServerSection): Promise<FileContent> {
  const { text, problem } = await textOf(path);
  if (problem !== undefined) return { value: undefined, problem };
  return text === undefined ? { value: undefined } : contentOf(text, path, format);
}
