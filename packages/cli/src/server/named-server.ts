import type { ServerTarget } from '@tenon/mcp-workbench';
import { findServer, readServers, readServersOf, targetOf } from '@tenon/mcp-workbench/clients';
import type { CommandContext } from '../context.js';
import { environmentOf } from './client-environment.js';
import type { ServerOptions } from './server-options.js';
import { confirmTrust } from './trust.js';

/**
 * Returns the server of a name in the configuration files of MCP clients.
 * @throws WorkbenchError `usage` if there is none, if the name is ambiguous, if a value is missing, or if the user does not trust
 * the file of a project.
 */
export async function namedServer(
  name: string,
  options: ServerOptions,
  { terminal, signal }: Pick<CommandContext, 'terminal' | 'signal'>,
): Promise<ServerTarget> {
  const environment = environmentOf(terminal.source);
  const { config } = options;
  const servers = await (config === undefined
    ? readServers(environment)
    : readServersOf(config, environment));
  const server = findServer(name, servers);
  const values = { environment, values: options.env };
  const target = await targetOf(server, values);
  if (options.trust !== true) await confirmTrust({ server, target, ...values }, { terminal, signal });
  const { cwd, header, transport } = options;
  if (target.kind === 'command') return cwd === undefined ? target : { ...target, cwd };
  const headers = { ...target.headers, ...header };
  return { ...target, headers, ...(transport !== 'auto' && { transport }) };
}
