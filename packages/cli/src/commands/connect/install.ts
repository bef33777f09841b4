import { existsSync } from 'node:fs';
import {
  type ClientEnvironment,
  clientEnvironment,
  commandLine,
  findServer,
  readServers,
  type ServerEntry,
  shortPath,
  TrustedServers,
  visibleText,
} from '@tenon/mcp-config';
import {
  applyPlan,
  clientOf,
  type InstallPlan,
  installedText,
  type McpClient,
  mcpClients,
  type NamedEntry,
  planInstall,
  planUninstall,
  relativePaths,
  sourceEntry,
} from '@tenon/mcp-config/install';
import { WorkbenchError } from '@tenon/mcp-workbench';
import type { CommandLine } from '../../context.js';
import type { Terminal } from '../../terminal/terminal.js';

/** Options of `tenon install`. */
interface InstallOptions extends FinishOptions {
  readonly force?: true;
  readonly name?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly header: Readonly<Record<string, string>>;
  readonly transport?: 'http' | 'sse';
  readonly project?: true;
  readonly link?: true;
  readonly list?: true;
}

type InstallLine = CommandLine<InstallOptions>;

/** Shows the change that adds a server to a client, and makes it with `--yes`. */
export async function runInstall(line: InstallLine): Promise<void> {
  const { options, terminal, words } = line;
  const environment = clientEnvironment(terminal.source);
  if (options.list === true) return listClients(environment, { terminal, json: options.json });
  if (words[0] === undefined) {
    throw new WorkbenchError('usage', 'No client is named.', {
      hint: '"tenon install --list" lists the clients: tenon install CLIENT SERVER',
    });
  }
  const client = clientOf(words[0]);
  const { entry, name, isForeign } = await serverOf(line, environment);
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
    warn(
      terminal,
      `${client.title} may start the command in another folder. Write ${whole} instead of ${path}.`,
    );
  }
}

interface PathPlace {
  readonly client: McpClient;
  readonly terminal: Terminal;
  readonly environment: ClientEnvironment;
}

async function serverOf(
  { words: [, server], options, serverCommand }: InstallLine,
  environment: ClientEnvironment,
): Promise<NamedEntry & { readonly isForeign: boolean }> {
  const { env, header, transport } = options;
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

/** Options of commands that change the file of a client. */
interface FinishOptions {
  readonly yes?: true;
  readonly json?: true;
}

/** The place where a plan is printed. */
interface FinishPlace {
  readonly terminal: Terminal;
  readonly environment: ClientEnvironment;
  /** True if the entry is from a file of a project, or a copy of such an entry: `tenon` asks before it starts the copy. */
  readonly isForeign: boolean;
}

/** Prints the change of a file, and makes it with `--yes`. */
async function finishPlan(plan: InstallPlan, options: FinishOptions, place: FinishPlace): Promise<void> {
  const { terminal } = place;
  const isChange = plan.before !== plan.after;
  const written = isChange && options.yes === true;
  for (const name of plan.plainSecrets)
    warn(terminal, `${name} is stored as plain text. Refer to a variable instead: '${name}=\${${name}}'`);
  if (place.isForeign && isChange)
    warn(
      terminal,
      `the server is from a file of a project, which another person may have written. ${plan.client.title} starts it with your permissions.`,
    );
  if (options.json === true) {
    if (written) await apply(plan, place);
    return terminal.printJson(jsonOf(plan, written));
  }
  if (!isChange) return terminal.print(`${plan.client.title} has the server "${plan.name}" already.`);
  printChange(plan, place);
  if (written) await apply(plan, place);
  const file = shortPath(plan.file, place.environment);
  if (written) terminal.print(`\nWrote ${file}. Restart ${plan.client.title} if it is running.`);
  else terminal.note(`\nNothing was written. Add --yes to write ${file}.${alternative(plan)}`);
}

/** Makes a change, and remembers whether the server is a copy of one that another person may have written. */
async function apply(plan: InstallPlan, { environment, isForeign }: FinishPlace): Promise<void> {
  // Servers in files of projects need consent anyway.
  if (plan.scope === 'project') return applyPlan(plan);
  const trusted = new TrustedServers(environment);
  if (isForeign) await trusted.setCopy(plan, true);
  await applyPlan(plan);
  if (!isForeign) await trusted.setCopy(plan, false);
}

function printChange({ file, isNew, change }: InstallPlan, { terminal, environment }: FinishPlace): void {
  const { paint } = terminal;
  const place = isNew ? ' (new file)' : `:${change.line}`;
  terminal.print(paint('bold', shortPath(file, environment) + place));
  const marks = { removed: '-', added: '+', context: ' ' } as const;
  const styles = { removed: 'red', added: 'green', context: 'dim' } as const;
  for (const { kind, text } of change.lines)
    terminal.print(paint(styles[kind], `${marks[kind]} ${visibleText(text)}`));
}

/** The command of the client is shown if it contains no values. */
function alternative({ command, hasPlainValues, client }: InstallPlan): string {
  if (command === undefined || hasPlainValues) return '';
  return `\nOr with ${client.title}:\n  ${commandLine(command)}`;
}

function warn(terminal: Terminal, text: string): void {
  terminal.note(`${terminal.paintError('yellow', 'warning:')} ${text}`);
}

function jsonOf(
  { client, name, file, isNew, replaces, before, after, change, plainSecrets }: InstallPlan,
  written: boolean,
) {
  const changes = before !== after;
  return {
    client: client.id,
    name,
    file,
    isNew,
    replaces,
    changes,
    written,
    plainSecrets,
    diff: change.lines,
  };
}

/** Prints the clients, and whether their files exist. */
function listClients(
  environment: ClientEnvironment,
  { terminal, json }: { readonly terminal: Terminal; readonly json: true | undefined },
): void {
  const clients = mcpClients.map(({ id, title, documentation, files }) => {
    const written = files(environment).filter(({ scope }) => scope !== 'local');
    const described = written.map(({ path, scope }) => ({ path, scope, exists: existsSync(path) }));
    return { id, title, documentation, files: described };
  });
  if (json === true) {
    terminal.printJson({ clients });
    return;
  }
  const { paint } = terminal;
  const width = Math.max(...clients.map(({ id }) => id.length));
  for (const { id, files } of clients) {
    const rows = [...files].sort((a, b) => Number(b.scope === 'user') - Number(a.scope === 'user'));
    rows.forEach(({ path, scope, exists }, index) => {
      const name = paint('bold', index === 0 ? id.padEnd(width) : ' '.repeat(width));
      const state = exists ? paint('green', 'found  ') : paint('dim', 'missing');
      terminal.print(`${name}  ${scope.padEnd(7)}  ${state}  ${shortPath(path, environment)}`);
    });
  }
}

/** Options of `tenon uninstall`. */
interface UninstallOptions extends FinishOptions {
  readonly project?: true;
}

/** Shows the change that removes a server from a client, and makes it with `--yes`. */
export async function runUninstall(line: CommandLine<UninstallOptions>): Promise<void> {
  const { options, terminal, words } = line;
  const [named = '', name = ''] = words;
  const environment = clientEnvironment(terminal.source);
  const client = clientOf(named);
  const scope = options.project === true ? 'project' : 'user';
  const plan = await planUninstall(
    { client, scope, name },
    await installedText({ client, scope }, environment),
    environment,
  );
  await finishPlan(plan, options, { terminal, environment, isForeign: false });
}
