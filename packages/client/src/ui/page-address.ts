import { addressFlaw, isThisMachine } from '../features/page-address.js';

/** Something about an address that a user should know before going there. */
export interface AddressWarning {
  readonly kind: 'punycode' | 'ip-address' | 'this-machine' | 'port';
  /** A sentence to show. */
  readonly text: string;
}

/** The address of a page in parts, for a user to look at: `before + host + after` is all of it. */
export interface PageAddress {
  /** The whole address, exactly as it is to be opened. */
  readonly href: string;
  readonly before: string;
  /** The name or number of the host: make it stand out, for all else is at the whim of whoever made the address. */
  readonly host: string;
  readonly after: string;
  readonly warnings: readonly AddressWarning[];
}

/**
 * Reads an address as a browser does.
 * @throws TypeError for one that no user should be sent to.
 */
export function readAddress(text: string): PageAddress {
  const flaw = addressFlaw(text);
  if (flaw !== undefined) throw new TypeError(`This address cannot be visited: ${flaw}.`);
  const { href, protocol, hostname, port } = new URL(text);
  const before = `${protocol}//`;
  const after = href.slice(before.length + hostname.length);
  return { href, before, host: hostname, after, warnings: warningsOf(hostname, port) };
}

function warningsOf(host: string, port: string): AddressWarning[] {
  const warnings: AddressWarning[] = [];
  if (/(^|\.)xn--/.test(host)) {
    const text = `${host} stands for a name in other letters, which may look like a name you know.`;
    warnings.push({ kind: 'punycode', text });
  }
  if (isThisMachine(host)) {
    warnings.push({ kind: 'this-machine', text: 'This page is served by a program on your own machine.' });
  } else if (host.startsWith('[') || /^[\d.]+$/.test(host)) {
    warnings.push({
      kind: 'ip-address',
      text: `${host} is a bare number: nothing says whose machine it is.`,
    });
  }
  if (port !== '') warnings.push({ kind: 'port', text: `The page is at the unusual port ${port}.` });
  return warnings;
}
