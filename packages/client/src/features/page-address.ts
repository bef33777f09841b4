import { isUrl } from '@tenon/mcp-protocol/internal';

const longest = 8_192;

/**
 * Returns the problem of an address that users must not be sent to; undefined for a safe one. Safe are `https:`, and `http:` to this
 * machine, without user name or password.
 * https://modelcontextprotocol.io/specification/latest/client/elicitation#safe-url-handling
 */
export function addressProblem(text: string): string | undefined {
  if (text.length > longest)
    return `expected a URL of at most ${longest} characters, so that it can be shown whole`;
  if (!isUrl(text)) return 'expected a URL';
  const { href, protocol, username, password, hostname } = new URL(text);
  // A letter has up to nine characters when encoded.
  if (href.length > longest) return `expected a URL of at most ${longest} characters once it is encoded`;
  // A name before the host makes the address look like another one.
  if (username !== '' || password !== '') return 'expected a URL without user name or password';
  if (protocol === 'https:' || (protocol === 'http:' && isThisMachine(hostname))) return undefined;
  return 'expected an https URL, or an http one to this machine';
}

/** True for a host that is this machine by its name or number. */
function isThisMachine(host: string): boolean {
  return /^(127\.\d+\.\d+\.\d+|\[::1\]|(.+\.)?localhost\.?)$/.test(host);
}

/** A property of an address that a user should know before opening it. */
export interface AddressWarning {
  readonly kind: 'punycode' | 'ip-address' | 'this-machine' | 'port';
  /** A sentence for the user. */
  readonly text: string;
}

/** The address of a page in parts, for display: `before + host + after` is the whole address. */
export interface PageAddress {
  /** The whole address, exactly as it will be opened. */
  readonly href: string;
  readonly before: string;
  /** The name or number of the host. Make it stand out: the author of the address chooses all other parts freely. */
  readonly host: string;
  readonly after: string;
  readonly warnings: readonly AddressWarning[];
}

/**
 * Reads an address as a browser does.
 * @throws TypeError for an address that users must not be sent to.
 */
export function readAddress(text: string): PageAddress {
  const problem = addressProblem(text);
  if (problem !== undefined) throw new TypeError(`This address cannot be visited: ${problem}.`);
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
