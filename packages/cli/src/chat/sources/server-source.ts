import { type ClientEnvironment, defaultName } from '@tenon/mcp-config';
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

/** Returns a name for a server: its own, or one made of its URL, its file or its command. */
export function nameOfTarget(target: ServerTarget, environment: ClientEnvironment): string {
  if (target.name !== undefined) return target.name.replaceAll(/\p{C}/gu, '').slice(0, 100) || 'server';
  if (target.kind === 'url') return defaultName(target, environment);
  const { file, command, args } = target;
  return defaultName(file === undefined ? { command: [command, ...args] } : { file }, environment);
}

/** Returns the place of a server for the user: its address without query and credentials, or nothing for a program. */
export function placeOfTarget(target: ServerTarget): string | undefined {
  if (target.kind === 'command') return undefined;
  const { origin, pathname } = new URL(target.url);
  return origin + pathname;
}

/** Returns a name that is not taken: with a number behind it if necessary. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) if (!taken.has(`${name}-${number}`)) return `${name}-${number}`;
}
