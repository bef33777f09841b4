import { type ClientEnvironment, clientEnvironment, pathsOf } from '../clients/client-environment.js';
import { ConfigError } from '../config-error.js';
import { readConfigFile } from '../config-file.js';
import { type CommandEntry, referencesOf, type UrlEntry } from '../entries/server-entry.js';
import type { Reference, Template } from '../entries/template.js';
import type { ConfiguredServer } from '../servers/parse-servers.js';

/** A server with all references filled in. `connect` of `@tenon/mcp-client` accepts it. */
export type ConfiguredTarget =
  | {
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      /** The transport; absent if it has to be detected. */
      readonly type?: 'http' | 'sse';
    }
  | {
      readonly command: string;
      readonly args: readonly string[];
      /** Variables in addition to those that every server inherits. */
      readonly env: Readonly<Record<string, string>>;
      /** An absolute path; absent if the server starts in the working folder of the process. */
      readonly cwd?: string;
    };

/** The values for the references of an entry. */
export interface ReferenceValues {
  /** Variables have these values. */
  readonly environment: ClientEnvironment;
  /** Values by name of a variable or an input, before those of the environment. */
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Returns a configured server as a target, with all references filled in. It reads the file of variables of the server, if it has one.
 * @param given - default: the environment of this process, and no further values.
 * @throws ConfigError if a variable or an input has no value, with the option that sets it.
 */
export async function targetOf(
  server: ConfiguredServer,
  given: Partial<ReferenceValues> = {},
): Promise<ConfiguredTarget> {
  const values = { environment: given.environment ?? clientEnvironment(), values: given.values ?? {} };
  const fill = filler(server, values);
  const { entry, name } = server;
  return entry.kind === 'url'
    ? urlTarget(entry, { name, fill })
    : commandTarget(entry, server, { fill, ...values });
}

type Fill = (template: Template) => string;

function urlTarget(
  { url, headers, transport }: UrlEntry,
  { name, fill }: { name: string; fill: Fill },
): ConfiguredTarget {
  const text = fill(url);
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new ConfigError(`The URL of the server "${name}" does not begin with http:// or https://.`, {
      hint: 'Correct it in the file; "tenon servers" shows which.',
    });
  }
  return { url: text, headers: filled(headers, fill), ...(transport !== 'auto' && { type: transport }) };
}

/** The values of a server, and the function that fills them in. */
type Filling = ReferenceValues & { readonly fill: Fill };

async function commandTarget(
  entry: CommandEntry,
  server: ConfiguredServer,
  { fill, environment, values }: Filling,
): Promise<ConfiguredTarget> {
  const { name, scope, folder } = server;
  const { cwd, envFile } = pathsIn(entry, folder, { fill, environment });
  const more = envFile === undefined ? {} : await readEnvFile(envFile, name);
  // Values of inputs are not variables of the server.
  const inputs = new Set(referencesOf(entry).flatMap((one) => ('input' in one ? [one.input] : [])));
  const own = Object.entries(values).filter(([key]) => !inputs.has(key));
  return {
    command: fill(entry.command),
    args: entry.args.map(fill),
    env: { ...more, ...filled(entry.env, fill), ...Object.fromEntries(own) },
    ...((cwd !== undefined || scope === 'project') && { cwd: cwd ?? folder }),
  };
}

/** Returns the working folder of a command and its file of variables, as absolute paths. */
function pathsIn(
  entry: CommandEntry,
  folder: string,
  { fill, environment }: Omit<Filling, 'values'>,
): { readonly cwd: string | undefined; readonly envFile: string | undefined } {
  const paths = pathsOf(environment);
  const cwd = entry.cwd === undefined ? undefined : paths.resolve(folder, fill(entry.cwd));
  const envFile = entry.envFile === undefined ? undefined : paths.resolve(cwd ?? folder, fill(entry.envFile));
  return { cwd, envFile };
}

/** Returns the path of the file of variables of a server; undefined if it has none, or if the path has a reference without a value. */
export function envFileOf(server: ConfiguredServer, environment: ClientEnvironment): string | undefined {
  const { entry, folder } = server;
  if (entry.kind === 'url' || entry.envFile === undefined) return undefined;
  try {
    const fill = filler(server, { environment, values: {} });
    return pathsIn(entry, folder, { fill, environment }).envFile;
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

function filled(templates: Readonly<Record<string, Template>>, fill: Fill): Record<string, string> {
  return Object.fromEntries(Object.entries(templates).map(([name, value]) => [name, fill(value)]));
}

function filler({ name, file }: ConfiguredServer, { environment, values }: ReferenceValues): Fill {
  const lookUp = (reference: Reference) => {
    if ('unknown' in reference) {
      throw new ConfigError(`The server "${name}" needs ${reference.unknown}, which only its client knows.`, {
        hint: `Write a value into ${file}, or name the server by its URL or command.`,
      });
    }
    const key = 'input' in reference ? reference.input : reference.variable;
    const own = Object.hasOwn(values, key) ? values[key] : undefined;
    if (own !== undefined) return own;
    if ('input' in reference) {
      throw new ConfigError(`The server "${name}" needs the input "${key}".`, {
        hint: `Set it with --env ${key}=VALUE`,
      });
    }
    const value = environment.env[key] ?? reference.fallback;
    if (value !== undefined) return value;
    throw new ConfigError(`The server "${name}" needs the variable ${key}, which is not set.`, {
      hint: `Set it with --env ${key}=VALUE, or in the environment. ${file} refers to it.`,
    });
  };
  return (template) => template.map((part) => (typeof part === 'string' ? part : lookUp(part))).join('');
}

/** Reads lines of `NAME=value`, with optional quotes, comments and `export`. */
async function readEnvFile(path: string, server: string): Promise<Record<string, string>> {
  const text = await readConfigFile(path);
  if (text === undefined) {
    throw new ConfigError(`The server "${server}" needs the file ${path}, which does not exist.`, {
      hint: 'Create the file, with one NAME=value a line.',
    });
  }
  const { parseEnv } = await import('node:util');
  return { ...parseEnv(text) } as Record<string, string>;
}
