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

/** Returns a short name for a server: its own, the first word of its host that says something, or the name of its program. */
export function nameOfTarget(target: ServerTarget): string {
  if (target.name !== undefined) return target.name.replaceAll(/\p{C}/gu, '').slice(0, 100) || 'server';
  if (target.kind === 'url') return plainName(nameOfHost(new URL(target.url).hostname));
  const { file, command, args } = target;
  const script = file ?? args.find((word) => /\.[cm]?[jt]sx?$|\.py$/.test(word)) ?? args.at(-1) ?? command;
  return plainName(basename(script).replace(/\.[cm]?[jt]sx?$|\.py$/, ''));
}

/** Returns the place of a server for the user: its address without query and credentials, or nothing for a program. */
export function placeOfTarget(target: ServerTarget): string | undefined {
  if (target.kind === 'command') return undefined;
  const { origin, pathname } = new URL(target.url);
  return origin + pathname;
}

function nameOfHost(host: string): string {
  if (host === 'localhost' || /^[\d.]+$|^\[/.test(host)) return 'local';
  const labels = host.split('.');
  return labels.slice(0, -1).find((label) => !/^(?:mcp|www|api)$/.test(label)) ?? labels[0] ?? host;
}

/** Returns a name that is not taken: with a number behind it if necessary. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) if (!taken.has(`${name}-${number}`)) return `${name}-${number}`;
}

/** Returns a name that models can have in the names of tools. */
function plainName(name: string): string {
  return (
    name
      .replaceAll(/[^\w-]+/g, '-')
      .replace(/^[^A-Za-z]+/, '')
      .slice(0, 30) || 'server'
  );
}
