import { isUrl } from '@tenon/mcp-protocol';
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

const longest = 8_192;

/**
 * What makes an address unfit for a user to be sent to; undefined when nothing does. Fit are `https:`, and `http:` to this
 * machine, without user name or password.
 * https://modelcontextprotocol.io/specification/latest/client/elicitation#safe-url-handling
 */
export function addressFlaw(text: string): string | undefined {
  if (text.length > longest)
    return `expected a URL of at most ${longest} characters, so that it can be shown whole`;
  if (!isUrl(text)) return 'expected a URL';
  const { href, protocol, username, password, hostname } = new URL(text);
  // A letter takes up to nine characters where it is encoded.
  if (href.length > longest) return `expected a URL of at most ${longest} characters once it is encoded`;
  // A name before the host is there to make the address look like another one.
  if (username !== '' || password !== '') return 'expected a URL without user name or password';
  if (protocol === 'https:' || (protocol === 'http:' && isThisMachine(hostname))) return undefined;
  return 'expected an https URL, or an http one to this machine';
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

function isThisMachine(host: string): boolean {
  return /^(127\.\d+\.\d+\.\d+|\[::1\]|(.+\.)?localhost\.?)$/.test(host);
}
