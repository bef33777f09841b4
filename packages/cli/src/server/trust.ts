import { WorkbenchError } from '@tenon/mcp-workbench';
import {
  type ClientEnvironment,
  type ConfiguredServer,
  needsTrust,
  qualifiedName,
  startText,
  TrustedServers,
  visibleText,
} from '@tenon/mcp-workbench/clients';
import type { CommandContext } from '../context.js';

/** The circumstances of {@link confirmTrust}. */
export interface TrustCircumstances extends Pick<CommandContext, 'terminal' | 'signal'> {
  readonly environment: ClientEnvironment;
}

/**
 * Requires the consent of the user, once, before a server from a file of a project is started: another person may have written
 * the file. The answer counts until the entry changes.
 * https://modelcontextprotocol.io/community/seps/1024-mcp-client-security-requirements-for-local-server-
 * @throws WorkbenchError `usage` if the user refuses, or cannot be asked.
 */
export async function confirmTrust(
  server: ConfiguredServer,
  { terminal, signal, environment }: TrustCircumstances,
): Promise<void> {
  if (!needsTrust(server)) return;
  const trusted = new TrustedServers(environment);
  if (await trusted.has(server)) return;
  const name = visibleText(qualifiedName(server));
  const lines = startText(server).join('\n');
  if (!terminal.isInteractive) {
    throw new WorkbenchError(
      'usage',
      `"${name}" comes from a file of this project, and was not approved yet:\n${lines}`,
      {
        hint: 'Run the command on a terminal once to approve it, or add --trust.',
      },
    );
  }
  terminal.note(
    `"${name}" comes from a file of this project.\nAnother person may have written it.\n${lines}`,
  );
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
  await trusted.add(server);
}
