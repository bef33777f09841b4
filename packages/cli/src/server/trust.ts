import { WorkbenchError } from '@tenon/mcp-workbench';
import {
  qualifiedName,
  type ServerUse,
  startText,
  TrustedServers,
  visibleText,
} from '@tenon/mcp-workbench/clients';
import type { CommandContext } from '../context.js';

/**
 * Requires the consent of the user, once, before a server from a file of a project is started, or a copy of its entry: another
 * person may have written the file. The answer counts until something changes that decides what runs.
 * https://modelcontextprotocol.io/community/seps/1024-mcp-client-security-requirements-for-local-server-
 * @throws WorkbenchError `usage` if the user refuses, or cannot be asked.
 */
export async function confirmTrust(
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
