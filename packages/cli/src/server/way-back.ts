import { redactThoroughly } from '@tenon/foundation/redaction/thorough';
import type { ServerTarget } from '@tenon/mcp-workbench';

/** The way back to a server: words of a command line, without headers, variables and the query of a URL, which may be secrets. */
export interface WayBack {
  /** The first word: a URL, a file, or a name from a configuration file. Absent for a command. */
  readonly server?: string;
  /** The words after `--`. */
  readonly command?: readonly string[];
  /** The working folder of the command. */
  readonly cwd?: string;
}

/** Returns the way back to a server. */
export function wayTo(target: ServerTarget): WayBack {
  if (target.name !== undefined) return { server: target.name };
  if (target.kind === 'url') {
    const { origin, pathname } = new URL(target.url);
    return { server: origin + pathname };
  }
  const { command, args, cwd, file } = target;
  if (file !== undefined) return { server: file };
  return { command: [command, ...args], ...(cwd !== undefined && { cwd }) };
}

/** Returns a text that names the server, for people: without secrets. */
export function describeWay({ server, command = [] }: WayBack): string {
  return server ?? redactThoroughly(`-- ${command.join(' ')}`);
}
