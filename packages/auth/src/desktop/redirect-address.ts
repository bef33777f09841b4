import { isUrl } from '@tenon/mcp-protocol/internal';
import { AuthError } from '../auth-error.js';

/** Where a browser on this machine is sent back to. */
export interface RedirectAddress {
  /** Addresses to listen on, all on one port. */
  readonly hosts: readonly string[];
  /** 0 for any port. */
  readonly port: number;
  readonly path: string;
  /** The whole address, by the port. */
  uri(port: number): string;
  /** What the header `Host` says, by the port. */
  authority(port: number): string;
}

// A name may be looked up as either, and whoever has the other one would get what was meant for this program.
const hosts: ReadonlyMap<string, readonly string[]> = new Map([
  ['127.0.0.1', ['127.0.0.1']],
  ['[::1]', ['::1']],
  ['localhost', ['127.0.0.1', '::1']],
]);

/** @throws TypeError for what is no http address of this machine. */
export function redirectAddress(text: string): RedirectAddress {
  const url = isUrl(text) ? new URL(text) : undefined;
  const listening = url?.protocol === 'http:' ? hosts.get(url.hostname) : undefined;
  if (url === undefined || listening === undefined || url.href !== `${url.origin}${url.pathname}`) {
    throw new TypeError(
      `desktopInteraction(): redirectUri must be like http://127.0.0.1/callback, with 127.0.0.1, [::1] or localhost, with or without a port, and without a query; not ${JSON.stringify(text)}.`,
    );
  }
  const { hostname, pathname } = url;
  const authority = (port: number) => `${hostname}:${port}`;
  return {
    hosts: listening,
    port: Number(url.port),
    path: pathname,
    authority,
    uri: (port) => `http://${authority(port)}${pathname}`,
  };
}

/** Nothing can listen at an address. */
export function cannotListen(address: RedirectAddress, cause: unknown): AuthError {
  const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
  const told =
    address.port === 0
      ? `No port can be listened on at ${address.hosts.join(' and ')} (${code}), so nobody can sign in.`
      : `Port ${address.port} of this machine cannot be listened on (${code}): another sign-in or program has it. Try again later, or give a redirectUri without a port.`;
  return new AuthError('interaction-failed', told, { cause });
}
