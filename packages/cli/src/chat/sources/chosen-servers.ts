import {
  type ConfiguredServer,
  type ConfiguredServers,
  clientEnvironment,
  findServer,
  problemText,
  qualifiedName,
  summaryOf,
  TrustedServers,
  visibleText,
} from '@tenon/mcp-config';
import type { ServerSettings } from '@tenon/mcp-host';
import { type ServerTarget, WorkbenchError } from '@tenon/mcp-workbench';
import type { CommandContext } from '../../context.js';
import { prompterOf } from '../../input/prompter.js';
import { chosenServer, isServerName } from '../../server/chosen-server.js';
import { configuredServers, configuredTarget } from '../../server/named-server.js';
import type { ServerOptions } from '../../server/server-options.js';
import { freeName, nameOfTarget, placeOfTarget, serverSource } from './server-source.js';

/** The servers of a conversation. */
export interface ChosenServers {
  readonly servers: Readonly<Record<string, ServerSettings>>;
  /** The names of servers that may start without a prompt: the user wrote their command, or agreed to it just now. */
  readonly startable: ReadonlySet<string>;
  /** The addresses of servers that have one. */
  readonly places: ReadonlyMap<string, string>;
}

/** Options that choose servers. */
export interface ServerChoice extends ServerOptions {
  readonly server?: readonly string[];
}

/** The line of a command that uses several servers. */
interface ChoiceLine extends CommandContext {
  readonly words: readonly string[];
  readonly options: ServerChoice;
}

interface OneServer {
  readonly target: ServerTarget;
  readonly isStartable: boolean;
}

/**
 * Returns the servers that the user chose: words of the line, names, a file, or a choice among all that are configured.
 * @throws WorkbenchError `usage` if none is chosen, or one cannot be used.
 */
export async function chosenServers(line: ChoiceLine): Promise<ChosenServers> {
  const servers: Record<string, ServerSettings> = {};
  const startable = new Set<string>();
  const places = new Map<string, string>();
  const targets = await targetsOf(line);
  const environment = clientEnvironment(line.terminal.source);
  requireOneReceiver(targets.length, line.options);
  for (const { target, isStartable } of targets) {
    const name = freeName(nameOfTarget(target, environment), new Set(Object.keys(servers)));
    servers[name] = await serverSource(target, line.options, line);
    if (isStartable) startable.add(name);
    const place = placeOfTarget(target);
    if (place !== undefined) places.set(name, place);
  }
  return { servers, startable, places };
}

/** Requires that headers and variables, which may be secrets, have one server that receives them. */
function requireOneReceiver(count: number, { header, env }: ServerChoice): void {
  if (count < 2 || Object.keys(header).length + Object.keys(env).length === 0) return;
  throw new WorkbenchError('usage', `--header and --env are for one server, and ${count} are named.`, {
    hint: 'Write the headers and variables of each server into its configuration: tenon install --help',
  });
}

async function targetsOf(line: ChoiceLine): Promise<readonly OneServer[]> {
  const { words, options, serverCommand, terminal } = line;
  let read: Promise<ConfiguredServers> | undefined;
  const configuration = () => {
    read ??= configuredServers(options, terminal.source);
    return read;
  };
  const named = async (name: string) => configuredOne(findServer(name, await configuration()), line);
  const targets: OneServer[] = [];
  for (const word of words) {
    if (isServerName(word, terminal.source)) {
      targets.push(await named(word));
      continue;
    }
    const { target } = await chosenServer([word], options, { ...line, serverCommand: [] });
    targets.push({ target, isStartable: true });
  }
  for (const name of options.server ?? []) targets.push(await named(name));
  if (serverCommand.length > 0)
    targets.push({ target: (await chosenServer([], options, line)).target, isStartable: true });
  if (targets.length > 0) return targets;
  for (const server of await configured(await configuration(), line))
    targets.push(await named(qualifiedName(server)));
  return targets;
}

/**
 * Returns a server of a configuration file. Another person may have written its command: a server of a project is approved before, and
 * needs no further consent.
 */
async function configuredOne(server: ConfiguredServer, line: ChoiceLine): Promise<OneServer> {
  const target = await configuredTarget(server, line.options, line);
  const environment = clientEnvironment(line.terminal.source);
  return { target, isStartable: await new TrustedServers(environment).needsConsent(server) };
}

/** Returns all servers of the file that the user named, or those that the user chooses. */
async function configured(
  { servers, problems }: ConfiguredServers,
  { options, terminal, signal }: ChoiceLine,
): Promise<readonly ConfiguredServer[]> {
  // Most files of this machine belong to other programs, so only those of a named file are shown.
  if (options.config !== undefined)
    for (const one of problems) terminal.note(`warning: ${visibleText(problemText(one))}`);
  const all = servers.filter(({ isDisabled }) => !isDisabled);
  if (options.config !== undefined && all.length > 0) return all;
  const hint = 'Write URLs, files or names that "tenon servers" lists, or try: tenon chat --demo';
  if (all.length === 0)
    throw new WorkbenchError('usage', 'No server is named, and none is configured.', { hint });
  if (!terminal.isInteractive) throw new WorkbenchError('usage', 'No server is named.', { hint });
  const unique = new Map(all.map((server) => [qualifiedName(server), server]));
  const prompter = await prompterOf(terminal, signal);
  const chosen = await prompter.list({
    message: 'Which servers?',
    choices: [...unique].map(([name, server]) => ({
      value: name,
      label: name,
      hint: summaryOf(server).slice(0, 40),
    })),
    isRequired: true,
  });
  if (chosen === undefined) throw new WorkbenchError('usage', 'No server was chosen.', { hint });
  return chosen.flatMap((name) => unique.get(name) ?? []);
}
