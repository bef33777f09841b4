import { spawn } from 'node:child_process';
import process from 'node:process';
import { type Clock, systemClock } from '@tenon/foundation';
import { AuthError } from '../auth-error.js';
import { requireAuthorizationUrl } from '../http/endpoint-url.js';

/** The parts of the environment that decide whether there is a browser. */
export interface BrowserEnvironment {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A program with its arguments; never a shell command. */
export interface BrowserCommand {
  readonly file: string;
  readonly args: readonly string[];
}

/** The reason why no browser is opened. */
export type NoBrowser = 'ssh' | 'wsl' | 'ci' | 'no-display';

const longest = 8_192;

/**
 * Returns a URL that is safe to pass to programs: https, or http on this machine, without characters that a program could
 * interpret. Such characters in the query are escaped.
 * https://modelcontextprotocol.io/docs/tutorials/security/security_best_practices#oauth-authorization-url-validation
 * @throws AuthError `forbidden-address`, or `interaction-failed` if the URL is too long.
 */
export function openableAddress(url: URL, allow?: readonly string[]): string {
  requireAuthorizationUrl(url, allow);
  const { origin, pathname, search } = url;
  if (!/^[\w.:/[\]-]+$/.test(origin) || !/^[\w.~:/@%+,=&-]*$/.test(pathname)) {
    throw new AuthError(
      'forbidden-address',
      'The URL of the authorization server contains characters that are not allowed: no browser is opened for it.',
    );
  }
  const query = search.replaceAll(/[^\w.~:/?@%+,=&-]/g, encoded);
  const address = origin + pathname + query;
  if (address.length <= longest) return address;
  throw new AuthError(
    'interaction-failed',
    `The URL to sign in at has ${address.length} characters, more than the ${longest} that browsers accept: request fewer scopes.`,
  );
}

/** Returns the reason why no browser should be opened; undefined if one should. */
export function noBrowserReason({ platform, env }: BrowserEnvironment): NoBrowser | undefined {
  const isSet = (name: string) => (env[name] ?? '') !== '';
  if (isSet('CI') && env.CI !== 'false') return 'ci';
  if (isSet('SSH_CONNECTION') || isSet('SSH_TTY')) return 'ssh';
  if (platform === 'win32' || platform === 'darwin') return undefined;
  if (isSet('WSL_DISTRO_NAME') || isSet('WSL_INTEROP')) return 'wsl';
  return isSet('DISPLAY') || isSet('WAYLAND_DISPLAY') ? undefined : 'no-display';
}

/** Returns the command that opens a URL in the default browser. */
export function browserCommand(address: string, { platform, env }: BrowserEnvironment): BrowserCommand {
  if (platform === 'darwin') return { file: '/usr/bin/open', args: [address] };
  // `start` needs a shell, and `explorer` opens some URLs as folders. An absolute path, because Windows searches this folder first.
  if (platform === 'win32') {
    const root = env.SystemRoot ?? 'C:\\Windows';
    return { file: `${root}\\System32\\rundll32.exe`, args: ['url.dll,FileProtocolHandler', address] };
  }
  return { file: 'xdg-open', args: [address] };
}

// By then a command that cannot open a browser has failed. Some commands run as long as the browser.
const startTime = 3_000;

/**
 * Runs a command that opens a browser. The process can end before the command.
 * @throws Error if the command cannot be started, or fails within the first seconds.
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

/**
 * Opens a page in the user's browser.
 * @throws AuthError if the address must not be opened; Error if there is no browser, or the browser cannot be started.
 */
export async function openInBrowser(href: string): Promise<void> {
  const environment = { platform: process.platform, env: process.env };
  const reason = noBrowserReason(environment);
  if (reason !== undefined) throw new Error(`No browser is opened: ${reason}.`);
  await runBrowser(browserCommand(openableAddress(new URL(href)), environment));
}

function encoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
