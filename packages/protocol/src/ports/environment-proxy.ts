import { toBase64 } from '@tenon/foundation';
import { TransportError } from '../json-rpc/errors.js';
import { isUrl } from '../json-rpc/url.js';

/** A proxy for HTTP requests, from variables of the environment. */
export interface EnvironmentProxy {
  /** Scheme, host and port. */
  readonly origin: string;
  /** The value of `Proxy-Authorization`; undefined if the variable has no user name. */
  readonly authorization: string | undefined;
}

type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/**
 * Returns the proxy for requests to a URL, from `HTTPS_PROXY` for https, `HTTP_PROXY` for http, and `NO_PROXY`. Names in lower
 * case go first. Undefined if the request is sent directly, as it always is to this machine.
 * @throws TransportError if the variable is not an http or https URL, without its value, which may have a password.
 */
export function environmentProxy(
  url: URL,
  env: EnvironmentVariables = processEnvironment(),
): EnvironmentProxy | undefined {
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  // In CGI programs, HTTP_PROXY is the header `Proxy` of a request (CVE-2016-5385).
  const upper = name === 'HTTP_PROXY' && env.REQUEST_METHOD !== undefined ? undefined : env[name];
  const text = (env[name.toLowerCase()] ?? upper ?? '').trim();
  if (text === '' || isThisMachine(url.hostname)) return undefined;
  if (isExcluded(url, env.no_proxy ?? env.NO_PROXY ?? '')) return undefined;
  const { origin, username, password } = proxyUrl(text, name);
  if (username === '') return { origin, authorization: undefined };
  const login = new TextEncoder().encode(`${decoded(username)}:${decoded(password)}`);
  return { origin, authorization: `Basic ${toBase64(login)}` };
}

// Not imported, because this package runs in browsers too.
function processEnvironment(): EnvironmentVariables {
  const { process } = globalThis as { readonly process?: { readonly env?: EnvironmentVariables } };
  return process?.env ?? {};
}

function proxyUrl(text: string, name: string): URL {
  const written = text.includes('://') ? text : `http://${text}`;
  const url = isUrl(written) ? new URL(written) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  // Behind the first "/", "?" or "#" is not a part of the host: the password has one, and what is before it would be shown.
  if (url !== undefined && isHttp && !`${url.pathname}${url.search}${url.hash}`.includes('@')) return url;
  throw new TransportError(
    `The variable ${name} must be the http or https URL of a proxy, such as http://proxy.example:8080. In a user name or password, write / as %2F, ? as %3F and # as %23.`,
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const loopback = /^(?:(?:.+\.)?localhost\.?|127(?:\.\d+){3}|\[::1\])$/;

function isThisMachine(hostname: string): boolean {
  return loopback.test(hostname);
}

/** True if an entry of `NO_PROXY` names the host: a host with or without port, a domain, an IPv4 network, or `*`. */
function isExcluded({ hostname, port, protocol }: URL, list: string): boolean {
  const usual = protocol === 'https:' ? '443' : '80';
  return list.split(/[\s,]+/).some((text) => {
    const entry = text.toLowerCase();
    // An IPv6 address without brackets has no port.
    const [, host = entry, only = port || usual] = /^([^:]+|\[.*\]):(\d+)$/.exec(entry) ?? [];
    if (only !== (port || usual)) return false;
    const name = host.replace(/^\*?\./, '');
    if (name === '') return false;
    return name === '*' || isBelow(hostname, name) || isInNetwork(hostname, name);
  });
}

function isBelow(hostname: string, name: string): boolean {
  return hostname === name || hostname === `[${name}]` || hostname.endsWith(`.${name}`);
}

/** True for an IPv4 address in a network such as `10.0.0.0/8`. */
function isInNetwork(hostname: string, network: string): boolean {
  const [base = '', bits] = network.split('/');
  const [address, start] = [numberOf(hostname), numberOf(base)];
  const length = Number(bits);
  if (bits === undefined || address === undefined || start === undefined) return false;
  if (!Number.isInteger(length) || length < 0 || length > 32) return false;
  const size = 2 ** (32 - length);
  return Math.floor(address / size) === Math.floor(start / size);
}

function numberOf(address: string): number | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(address)?.slice(1).map(Number);
  return parts?.reduce((sum, part) => sum * 256 + part, 0);
}
