import { basename } from 'node:path';
import type { ServerSettings } from '@tenon/mcp-host';
import type { ServerTarget } from '@tenon/mcp-workbench';
import type { CommandContext } from '../../context.js';
import type { ServerOptions } from '../../server/server-options.js';
import { signInFor } from '../../server/with-client.js';

/** Returns the settings with which the host connects to a server. Whether the user may sign in is the host's to decide. */
export async function serverSource(
  target: ServerTarget,
  options: ServerOptions,
  { terminal }: Pick<CommandContext, 'terminal'>,
): Promise<ServerSettings> {
  const { revision } = options;
  const settings = revision === undefined ? {} : { revision };
  if (target.kind === 'command') {
    const { command, args, env, cwd } = target;
    const own = { ...(env !== undefined && { env }), ...(cwd !== undefined && { cwd }) };
    return { ...settings, target: { command, args, ...own } };
  }
  const { url, headers } = target;
  const auth = await signInFor(target, { terminal, options });
  return {
    ...settings,
    target: { url, ...(headers !== undefined && { headers }) },
    ...(auth !== undefined && { auth }),
  };
}

/** Returns a name for a server: its own, the host of its URL, or the name of its program. */
export function nameOfTarget(target: ServerTarget): string {
  if (target.name !== undefined) return printableName(target.name);
  if (target.kind === 'url') return printableName(new URL(target.url).hostname);
  const { file, command, args } = target;
  const script = file ?? args.find((word) => /\.[cm]?[jt]sx?$|\.py$/.test(word)) ?? args.at(-1) ?? command;
  return printableName(basename(script).replace(/\.[cm]?[jt]sx?$|\.py$/, ''));
}

/** Returns a name that is not taken: with a number behind it if necessary. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) if (!taken.has(`${name}-${number}`)) return `${name}-${number}`;
}

/** Names of servers in the host are up to 128 printable characters. */
function printableName(name: string): string {
  return name.replaceAll(/\p{C}/gu, '').slice(0, 100) || 'server';
}
