import type { AppCsp } from '../model/app-metadata.js';
import { originProblem } from '../model/origins.js';
import { sandboxScript } from './sandbox-script.js';

/** Options of the sandbox page. */
export interface SandboxOptions {
  /** The origins of the hosts that may embed the page, such as `https://chat.example.com`. */
  readonly hosts: readonly string[];
}

/** A page with its headers. */
export interface SandboxPage {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Returns the page in which views run. Serve it with its headers on an origin of its own: a domain without cookies, data and other pages.
 * @param url - the address or path that was requested. `openApp` notes there that the view reaches no origin, and the headers then have a
 * `Connection-Allowlist` without any: the browser opens no connection at all. Default: without that header, for static file servers.
 * @throws TypeError if a host is not an origin.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#sandbox-proxy
 */
export function sandboxPage({ hosts }: SandboxOptions, url?: string): SandboxPage {
  if (!Array.isArray(hosts) || hosts.length === 0 || !hosts.every(isOrigin))
    throw new TypeError('sandboxPage: "hosts" must be a list of origins such as "https://chat.example.com".');
  const style = 'html,body{margin:0;height:100%}iframe{display:block;border:0;width:100%;height:100%}';
  return {
    html: `<!doctype html><html><head><meta charset="utf-8"><style>${style}</style></head><body><script>${sandboxScript}(${JSON.stringify(hosts)})</script></body></html>`,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      // Frames of views inherit this policy: a source list here would refuse origins that an app declares.
      'content-security-policy': `frame-ancestors ${hosts.join(' ')}; object-src 'none'; form-action 'none'`,
      'cache-control': 'no-cache',
      ...(reachesNothing(url) && { 'connection-allowlist': '()' }),
      'cross-origin-resource-policy': 'cross-origin',
      'origin-agent-cluster': '?1',
      'referrer-policy': 'no-referrer',
      'x-dns-prefetch-control': 'off',
      'x-content-type-options': 'nosniff',
    },
  };
}

/** Returns a handler that serves the sandbox page to every GET, for Deno, Bun, Workers and frameworks with `Request` and `Response`. */
export function sandboxHandler(
  options: SandboxOptions,
): (request: Pick<Request, 'method' | 'url'>) => Response {
  sandboxPage(options);
  return ({ method, url }) => {
    const { html, headers } = sandboxPage(options, url);
    if (method === 'GET') return new Response(html, { headers });
    if (method === 'HEAD') return new Response(null, { headers });
    return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } });
  };
}

function isOrigin(value: unknown): boolean {
  if (typeof value !== 'string' || originProblem(value) !== undefined) return false;
  if (value.includes('*') || !URL.canParse(value)) return false;
  const { origin, protocol } = new URL(value);
  return origin === value && (protocol === 'https:' || protocol === 'http:');
}

const name = 'network';
const none = 'none';
/** Makes the path of a request an address. */
const anyBase = 'http://sandbox.invalid';

/** True if an app declares no origin that its view could connect to. */
function declaresNoOrigin({ connectDomains, resourceDomains, frameDomains }: AppCsp): boolean {
  return [connectDomains, resourceDomains, frameDomains].every((origins = []) => origins.length === 0);
}

/** Returns the address of the sandbox page for an app, with a note if its view reaches no origin. */
export function sandboxAddress(sandbox: URL, csp: AppCsp): string {
  const address = new URL(sandbox);
  if (declaresNoOrigin(csp)) address.searchParams.set(name, none);
  return address.href;
}

/** True if the address of the sandbox page notes that the view reaches no origin. @param url - an address, or the path of one. */
function reachesNothing(url: string | undefined): boolean {
  if (url === undefined || !URL.canParse(url, anyBase)) return false;
  return new URL(url, anyBase).searchParams.get(name) === none;
}
