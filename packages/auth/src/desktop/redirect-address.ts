import { isUrl } from '@tenon/mcp-protocol/internal';
import { AuthError } from '../auth-error.js';

/** A redirect URI on this machine. */
export interface RedirectAddress {
  /** IP addresses to listen on, all with the same port. */
  readonly hosts: readonly string[];
  /** 0 for any free port. */
  readonly port: number;
  readonly path: string;
  /** Returns the redirect URI with this port. */
  uri(port: number): string;
  /** Returns the value of the header `Host` for this port. */
  authority(port: number): string;
}

// A browser may resolve localhost to either address. If another program listened on one of them, it would get the response.
const hosts: ReadonlyMap<string, readonly string[]> = new Map([
  ['127.0.0.1', ['127.0.0.1']],
  ['[::1]', ['::1']],
  ['localhost', ['127.0.0.1', '::1']],
]);

/** @throws TypeError if the text is not an http URL of this machine. */
export function requireRedirectAddress(text: string): RedirectAddress {
  const address = redirectAddress(text);
  if (address !== undefined) return address;
  throw new TypeError(
    `desktopInteraction(): redirectUri must be like http://127.0.0.1/callback, with 127.0.0.1, [::1] or localhost, with or without a port, and without a query; it is ${JSON.stringify(text)}.`,
  );
}

/** Returns undefined if the text is not an http URL of this machine. */
export function redirectAddress(text: string): RedirectAddress | undefined {
  const url = isUrl(text) ? new URL(text) : undefined;
  const listening = url?.protocol === 'http:' ? hosts.get(url.hostname) : undefined;
  if (url === undefined || listening === undefined || url.href !== `${url.origin}${url.pathname}`)
    return undefined;
  const { hostname, pathname } = url;
  // Authorization servers may compare texts, so no slash is added.
  const end = pathname === '/' && !text.endsWith('/') ? '' : pathname;
  const authority = (port: number) => `${hostname}:${port}`;
  return {
    hosts: listening,
    port: Number(url.port),
    path: pathname,
    authority,
    uri: (port) => (url.port === '' ? `http://${authority(port)}${end}` : text),
  };
}

/** Returns the error for a port that cannot be used. */
export function cannotListen(address: RedirectAddress, cause: unknown): AuthError {
  const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
  const message =
    address.port === 0
      ? `No port at ${address.hosts.join(' and ')} can be opened (${code}), so users cannot sign in.`
      : `Port ${address.port} of this machine cannot be opened (${code}): another sign-in or program uses it. Try again later, or set a redirectUri without a port.`;
  return new AuthError('interaction-failed', message, { cause });
}
