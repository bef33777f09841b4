import { lookup } from 'node:dns/promises';
import { connect, isIP } from 'node:net';
import { TransportError } from '@tenon/mcp-protocol';
import { environmentProxy } from '@tenon/mcp-protocol/internal';
import { type Examination, failed, passed, shortened, warned } from '../examination.js';

/** The addresses of a server, in the order of the resolver. */
interface ServerAddresses {
  readonly all: readonly string[];
  /** True if all addresses are of this machine. */
  readonly isLocal: boolean;
}

const mostAddresses = 8;

/**
 * Runs the steps that reach the host of a URL, or the proxy before it: the URL itself, DNS, and TCP.
 * @returns undefined if one failed.
 */
export async function examineAddress(
  examination: Examination,
  text: string,
): Promise<{ readonly url: URL; readonly addresses: ServerAddresses } | undefined> {
  const url = await examination.run({ id: 'url', title: 'URL', work: () => readUrl(text) });
  const proxy = url !== undefined && (await examineProxy(examination, url));
  const host = proxy || url;
  const found = await examination.run({
    ...{ id: 'dns', title: 'DNS', needs: ['url', 'proxy'] },
    work: () => resolveHost(host as URL),
  });
  const addresses = await examination.run({
    ...{ id: 'tcp', title: 'TCP', needs: ['dns'] },
    work: () => reach(host as URL, found as ServerAddresses, examination.timeout * 0.9),
  });
  if (url === undefined || addresses === undefined) return undefined;
  return { url, addresses: { ...addresses, isLocal: addresses.isLocal && !proxy } };
}

/** Runs the step of the proxy, if the environment has one for the URL. */
async function examineProxy(examination: Examination, url: URL): Promise<URL | undefined> {
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const step = { id: 'proxy', title: 'Proxy' };
  try {
    const proxy = environmentProxy(url);
    if (proxy === undefined) return undefined;
    const summary = `${proxy.origin}, of ${name}: DNS and TCP are those of the proxy`;
    return await examination.run({ ...step, work: () => passed(summary, { value: new URL(proxy.origin) }) });
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    const fix = `Correct the variable ${name}, or name the host in NO_PROXY.`;
    return examination.run({ ...step, work: () => failed('usage', error.message, { fix }) });
  }
}

function readUrl(text: string) {
  if (!URL.canParse(text)) {
    return failed('usage', `"${shortened(text, 100)}" is not a URL`, {
      fix: 'Write the whole URL, such as https://example.com/mcp.',
    });
  }
  const url = new URL(text);
  const { protocol, hostname, origin, pathname, username, password, hash } = url;
  const shown = origin + pathname;
  if (protocol !== 'http:' && protocol !== 'https:')
    return failed('usage', `${protocol} is not a protocol of MCP`, {
      fix: 'A URL begins with http:// or https://.',
    });
  if (username !== '' || password !== '')
    return failed('usage', 'the URL contains a user name or a password', {
      fix: 'Remove them from the URL, and send them with --header "Authorization: Basic ...".',
    });
  if (hostname === '0.0.0.0' || hostname === '[::]')
    return warned(`${shown}: ${hostname} is an address to listen on, not one to connect to`, {
      fix: 'Use 127.0.0.1, or the name of the machine: Windows and browsers reject 0.0.0.0.',
      value: url,
    });
  if (hash !== '')
    return warned(`${shown}: the part after # is never sent to a server`, {
      fix: `Use ${shown}${url.search}.`,
      value: url,
    });
  if (protocol === 'http:' && !isLoopbackName(hostname))
    return warned(`${shown} has no TLS: others in the network can read tokens and results`, {
      fix: 'Serve it with https, or at this machine only.',
      value: url,
    });
  return passed(shown, { value: url });
}

function isLoopbackName(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return host === 'localhost' || host.endsWith('.localhost') || isLoopback(host);
}

async function resolveHost({ hostname }: URL) {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0)
    return passed<ServerAddresses>(`${host} is an address${placeOf(host)}`, {
      value: { all: [host], isLocal: isLoopback(host) },
    });
  try {
    const found = await lookup(host, { all: true, verbatim: true });
    const all = [...new Set(found.map(({ address }) => address))];
    const shown = all.slice(0, mostAddresses).map((address) => address + placeOf(address));
    const more = all.length > mostAddresses ? ` and ${all.length - mostAddresses} more` : '';
    return passed<ServerAddresses>(`${shown.join(', ')}${more}`, {
      value: { all: all.slice(0, mostAddresses), isLocal: all.every(isLoopback) },
    });
  } catch (error) {
    return noAddress(host, codeOf(error));
  }
}

function noAddress(host: string, code: string) {
  if (code === 'EAI_AGAIN')
    return failed('unreachable', `the name server did not answer for ${host} (${code})`, {
      fix: 'Check the network of this machine, its VPN, and the name servers of a container.',
    });
  return failed('unreachable', `${host} has no address (${code})`, {
    fix: 'Check the spelling of the host. Names of a private network resolve only inside it: connect the VPN.',
  });
}

/** Connects to each address. The step fails if none accepts. */
async function reach({ port, protocol }: URL, addresses: ServerAddresses, timeout: number) {
  const usual = protocol === 'https:' ? 443 : 80;
  const number = port === '' ? usual : Number(port);
  const tried = await Promise.all(addresses.all.map((address) => tryAddress(address, number, timeout)));
  const details = tried.map(({ address, result }) => `${address} port ${number}: ${result}`);
  const open = tried.filter(({ isOpen }) => isOpen);
  const value = { all: open.map(({ address }) => address), isLocal: addresses.isLocal };
  if (open.length === tried.length)
    return passed(`port ${number} accepts connections${tried.length > 1 ? ' at each address' : ''}`, {
      value,
    });
  if (open.length > 0)
    return warned(`port ${number} accepts connections at ${open.length} of ${tried.length} addresses`, {
      details,
      fix: `Clients that try another address first are slow or fail: have the server listen at all addresses, or use http${protocol === 'https:' ? 's' : ''}://${hostOf(value.all[0] ?? '')} in the URL.`,
      value,
    });
  const isRefused = tried.some(({ result }) => result === 'ECONNREFUSED');
  return failed('unreachable', `port ${number} does not accept connections`, {
    details,
    fix: isRefused
      ? 'No program listens there: start the server, and compare the port. In a container it must listen at 0.0.0.0, with the port published.'
      : 'A firewall may drop the packets, or the machine is down: check its firewall, your VPN and the port.',
  });
}

function hostOf(address: string): string {
  return isIP(address) === 6 ? `[${address}]` : address;
}

interface TriedAddress {
  readonly address: string;
  readonly isOpen: boolean;
  readonly result: string;
}

/** @param timeout - milliseconds */
function tryAddress(address: string, port: number, timeout: number): Promise<TriedAddress> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, timeout });
    const finish = (isOpen: boolean, result: string) => {
      socket.destroy();
      resolve({ address, isOpen, result });
    };
    socket.once('connect', () => finish(true, 'open'));
    socket.once('timeout', () => finish(false, 'no answer'));
    socket.on('error', (error) => finish(false, codeOf(error)));
  });
}

/** Returns the code of a system error. */
export function codeOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : String(message ?? error);
}

/** True for addresses of this machine. */
export function isLoopback(address: string): boolean {
  return /^(?:127\.|::ffff:127\.|::1$)/i.test(address);
}

function placeOf(address: string): string {
  if (isLoopback(address)) return ' (this machine)';
  const isPrivate =
    /^(?:10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/i;
  return isPrivate.test(address) ? ' (private network)' : '';
}
