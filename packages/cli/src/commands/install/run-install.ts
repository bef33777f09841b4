import { WorkbenchError } from '@tenon/mcp-workbench';
import {
  type ClientEnvironment,
  clientOf,
  findServer,
  installedText,
  type McpClient,
  type NamedEntry,
  planInstall,
  readServers,
  relativePaths,
  type ServerEntry,
  sourceEntry,
  TrustedServers,
} from '@tenon/mcp-workbench/clients';
import type { CommandContext } from '../../context.js';
import { environmentOf } from '../../server/client-environment.js';
import type { Terminal } from '../../terminal/terminal.js';
import { type FinishOptions, finishPlan } from './finish-plan.js';
import { listClients } from './list-clients.js';

/** Options of `tenon install`. */
export interface InstallOptions extends FinishOptions {
  readonly force?: true;
  readonly name?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly header: Readonly<Record<string, string>>;
  readonly transport?: 'http' | 'sse';
  readonly project?: true;
  readonly link?: true;
  readonly list?: true;
}

/** The words of `tenon install`. */
export interface InstallWords {
  readonly client: string | undefined;
  readonly server: string | undefined;
}

/** Shows the change that adds a server to a client, and makes it with `--yes`. */
export async function runInstall(
  words: InstallWords,
  options: InstallOptions,
  context: CommandContext,
): Promise<void> {
  const { terminal } = context;
  const environment = environmentOf(terminal.source);
  if (options.list === true) return listClients(environment, { terminal, json: options.json });
  if (words.client === undefined) {
    throw new WorkbenchError('usage', 'No client is named.', {
      hint: '"tenon install --list" lists the clients: tenon install CLIENT SERVER',
    });
  }
  const client = clientOf(words.client);
  const { entry, name, isForeign } = await serverOf(words, options, { ...context, environment });
  const scope = options.project === true ? 'project' : 'user';
  const request = {
    client,
    scope,
    entry,
    name: options.name ?? name,
    replace: options.force === true,
  } as const;
  const plan = await planInstall(request, await installedText({ client, scope }, environment), environment);
  if (scope === 'user') await warnOfPaths(entry, { client, terminal, environment });
  if (options.link === true) {
    if (plan.link === undefined)
      throw new WorkbenchError('usage', `${client.title} has no links that install this server.`);
    return options.json === true ? terminal.printJson({ link: plan.link }) : terminal.print(plan.link);
  }
  await finishPlan(plan, options, { terminal, environment, isForeign });
}

/** Warns of paths that work in this folder only: clients start commands elsewhere. */
async function warnOfPaths(entry: ServerEntry, { client, terminal, environment }: PathPlace): Promise<void> {
  const { resolve } = await import('node:path');
  for (const path of await relativePaths(entry, environment)) {
    const whole = resolve(environment.cwd, path);
    terminal.note(
      `${terminal.paintError('yellow', 'warning:')} ${client.title} may start the command in another folder. Write ${whole} instead of ${path}.`,
    );
  }
}

interface PathPlace {
  readonly client: McpClient;
  readonly terminal: Terminal;
  readonly environment: ClientEnvironment;
}

async function serverOf(
  { server }: InstallWords,
  { env, header, transport }: InstallOptions,
  { serverCommand, environment }: CommandContext & { readonly environment: ClientEnvironment },
): Promise<NamedEntry & { readonly isForeign: boolean }> {
  const found = await sourceEntry(
    {
      ...(server !== undefined && { word: server }),
      ...(transport !== undefined && { transport }),
      ...{ command: serverCommand, env, headers: header },
    },
    environment,
  );
  if (found !== undefined) return { ...found, isForeign: false };
  if (server === undefined) {
    throw new WorkbenchError('usage', 'No server is named.', {
      hint: 'Write a URL, a .ts or .js file, a name that "tenon servers" lists, or a command at the end: -- node server.js',
    });
  }
  const configured = findServer(server, await readServers(environment));
  const { entry, name } = configured;
  return { entry, name, isForeign: await new TrustedServers(environment).isForeign(configured) };
}
