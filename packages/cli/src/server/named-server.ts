import { join } from 'node:path';
import {
  type ConfiguredServer,
  type ConfiguredServers,
  clientEnvironment,
  findServer,
  qualifiedName,
  readServers,
  readServersOf,
  type ServerUse,
  startText,
  stateFolder,
  TrustedServers,
  targetOf,
  visibleText,
} from '@tenon/mcp-config';
import { type ServerTarget, WorkbenchError } from '@tenon/mcp-workbench';
import type { CommandContext } from '../context.js';
import type { TerminalSource } from '../terminal/terminal.js';
import type { ServerOptions } from './server-options.js';

/** Characters that are shown of a server before the user approves it. More could move its beginning out of sight. */
const mostShown = 4_096;

/** Returns the folder for the state of this program: tokens and tasks. */
export function ownFolder(source: Pick<TerminalSource, 'env' | 'cwd'>): string {
  return join(stateFolder(clientEnvironment(source)), 'tenon');
}

/**
 * Returns the server of a name in the configuration files of MCP clients.
 * @throws WorkbenchError `usage` if there is none, if the name is ambiguous, if a value is missing, or if the user does not trust
 * the file of a project.
 */
export async function namedServer(
  name: string,
  options: ServerOptions,
  context: Pick<CommandContext, 'terminal' | 'signal'>,
): Promise<ServerTarget> {
  const servers = await configuredServers(options, context.terminal.source);
  return configuredTarget(findServer(name, servers), options, context);
}

/** Reads the servers of the file that the user named, or those of all MCP clients. */
export function configuredServers(
  { config }: ServerOptions,
  source: Pick<TerminalSource, 'env' | 'cwd'>,
): Promise<ConfiguredServers> {
  const environment = clientEnvironment(source);
  return config === undefined ? readServers(environment) : readServersOf(config, environment);
}

/**
 * Returns a configured server to connect to.
 * @throws WorkbenchError `usage` if a value is missing, or if the user does not trust the file of a project.
 */
export async function configuredTarget(
  server: ConfiguredServer,
  options: ServerOptions,
  { terminal, signal }: Pick<CommandContext, 'terminal' | 'signal'>,
): Promise<ServerTarget> {
  const environment = clientEnvironment(terminal.source);
  const values = { environment, values: options.env };
  const target = await targetOf(server, values);
  if (options.trust !== true) await confirmTrust({ server, target, ...values }, { terminal, signal });
  const { cwd, header, transport } = options;
  if ('command' in target)
    return { kind: 'command', ...target, ...(cwd !== undefined && { cwd }), name: server.name };
  const headers = { ...target.headers, ...header };
  const { url, type = 'auto' } = target;
  return { kind: 'url', url, headers, transport: transport === 'auto' ? type : transport, name: server.name };
}

/**
 * Requires the consent of the user, once, before a server from a file of a project is started, or a copy of its entry: another
 * person may have written the file. The answer counts until something changes that decides what runs.
 * https://modelcontextprotocol.io/community/seps/1024-mcp-client-security-requirements-for-local-server-
 * @throws WorkbenchError `usage` if the user refuses, or cannot be asked.
 */
async function confirmTrust(
  use: ServerUse,
  { terminal, signal }: Pick<CommandContext, 'terminal' | 'signal'>,
): Promise<void> {
  const { server, target, environment } = use;
  const trusted = new TrustedServers(environment);
  if (!(await trusted.needsConsent(server)) || (await trusted.has(use))) return;
  const name = visibleText(qualifiedName(server));
  const lines = startText(server, target).join('\n');
  const origin =
    server.scope === 'project' ? 'comes from a file of this project' : 'was copied from a file of a project';
  if (lines.length > mostShown)
    throw new WorkbenchError(
      'usage',
      `"${name}" ${origin}, was not approved yet, and is too long to be shown: ${lines.length} characters.`,
      { hint: `Read ${visibleText(server.file).slice(0, mostShown)}, and add --trust if you approve it.` },
    );
  if (!terminal.isInteractive) {
    throw new WorkbenchError('usage', `"${name}" ${origin}, and was not approved yet:\n${lines}`, {
      hint: 'Run the command on a terminal once to approve it, or add --trust.',
    });
  }
  terminal.note(`"${name}" ${origin}.\nAnother person may have written it.\n${lines}`);
  const { confirm, isCancel } = await import('@clack/prompts');
  const { input, error } = terminal.source;
  const answer = await confirm({
    message:
      server.entry.kind === 'command' ? 'Start this command with your permissions?' : 'Send these values?',
    initialValue: false,
    input,
    output: error,
    signal,
  });
  if (isCancel(answer) || !answer) throw new WorkbenchError('usage', `"${name}" was not started.`);
  await trusted.add(use);
}
