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
export function isThisMachine(host: string): boolean {
  return /^(127\.\d+\.\d+\.\d+|\[::1\]|(.+\.)?localhost\.?)$/.test(host);
}
