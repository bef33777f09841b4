import { spawn } from 'node:child_process';
import process from 'node:process';
import { type Clock, systemClock } from '@tenon/mcp-session';
import { AuthError } from '../auth-error.js';
import { requireAuthorizationUrl } from '../http/endpoint-url.js';

/** Where a program runs, as far as it matters to whether there is a browser. */
export interface BrowserSurroundings {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A program and what it is given; never a line for a shell. */
export interface BrowserCommand {
  readonly file: string;
  readonly args: readonly string[];
}

/** Why no browser is opened: none can be, or the user sits elsewhere. */
export type NoBrowser = 'ssh' | 'wsl' | 'ci' | 'no-display';

const longest = 8_192;

/**
 * An address as it may be handed to programs: https, or http on this machine, and of characters that no program takes for
 * anything else. What may be written otherwise in a query, is.
 * https://modelcontextprotocol.io/docs/tutorials/security/security_best_practices#oauth-authorization-url-validation
 * @throws AuthError `forbidden-address`, or `interaction-failed` for one that is too long.
 */
export function openableAddress(url: URL, allow?: readonly string[]): string {
  requireAuthorizationUrl(url, allow);
  const { origin, pathname, search } = url;
  if (!/^[\w.:/[\]-]+$/.test(origin) || !/^[\w.~:/@%+,=&-]*$/.test(pathname)) {
    throw new AuthError(
      'forbidden-address',
      'The address of the authorization server holds characters that it should not: no browser is opened there.',
    );
  }
  const query = search.replaceAll(/[^\w.~:/?@%+,=&-]/g, encoded);
  const address = origin + pathname + query;
  if (address.length <= longest) return address;
  throw new AuthError(
    'interaction-failed',
    `The address to sign in at has ${address.length} characters, more than the ${longest} that browsers take: ask for fewer scopes.`,
  );
}

/** Why no browser should be opened; undefined where one should. */
export function reasonForNone({ platform, env }: BrowserSurroundings): NoBrowser | undefined {
  const isSet = (name: string) => (env[name] ?? '') !== '';
  if (isSet('CI') && env.CI !== 'false') return 'ci';
  if (isSet('SSH_CONNECTION') || isSet('SSH_TTY')) return 'ssh';
  if (platform === 'win32' || platform === 'darwin') return undefined;
  if (isSet('WSL_DISTRO_NAME') || isSet('WSL_INTEROP')) return 'wsl';
  return isSet('DISPLAY') || isSet('WAYLAND_DISPLAY') ? undefined : 'no-display';
}

/** What opens an address in the browser of the user. */
export function browserCommand(address: string, { platform, env }: BrowserSurroundings): BrowserCommand {
  if (platform === 'darwin') return { file: '/usr/bin/open', args: [address] };
  // `start` is of the shell, and `explorer` takes some addresses for folders. By its path: Windows looks in this folder first.
  if (platform === 'win32') {
    const root = env.SystemRoot ?? 'C:\\Windows';
    return { file: `${root}\\System32\\rundll32.exe`, args: ['url.dll,FileProtocolHandler', address] };
  }
  return { file: 'xdg-open', args: [address] };
}

// Whatever opens a browser says by then that it failed. Some of them run for as long as the browser does.
const startTime = 3_000;

/**
 * Runs a command that opens a browser, which this process does not wait for at its end.
 * @throws Error when it cannot be started, or fails soon.
 */
export function runBrowser(
  { file, args }: BrowserCommand,
  {
    env = process.env,
    clock = systemClock,
  }: { readonly env?: NodeJS.ProcessEnv; readonly clock?: Clock } = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      env,
      shell: false,
      detached: true,
      stdio: 'ignore',
      windowsHide: true,
    });
    const cancel = clock.schedule(resolve, startTime);
    child.once('error', (error) => {
      cancel();
      reject(error);
    });
    child.once('exit', (status, signal) => {
      cancel();
      if (status === 0) resolve();
      else reject(new Error(`${file} ended with ${signal ?? `status ${status}`}.`));
    });
    child.unref();
  });
}

function encoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
