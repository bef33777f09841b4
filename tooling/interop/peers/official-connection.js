import { officialOptions } from './tenon-sign-in.js';

/** @typedef {{ fetch?: typeof fetch, authProvider?: any }} Auth */
/** @typedef {import('./peer.js').Target} Target */

/**
 * Returns a function that opens the transport to a server, by the classes of one generation of the official SDK.
 *
 * @template Stdio, Sse, Http
 * @param {new (options: any) => Stdio} StdioTransport
 * @param {new (url: URL, options: any) => Sse} SseTransport
 * @param {new (url: URL, options: any) => Http} HttpTransport
 * @returns {(target: Target, auth: Auth) => Stdio | Sse | Http}
 */
export function transports(StdioTransport, SseTransport, HttpTransport) {
  return (target, auth) => {
    if (target.transport === 'stdio') return new StdioTransport(target);
    const url = new URL(target.url);
    const options = { ...auth, ...(target.headers && { requestInit: { headers: target.headers } }) };
    return target.transport === 'sse' ? new SseTransport(url, options) : new HttpTransport(url, options);
  };
}

/**
 * Returns the options of a transport for a client that signs in.
 *
 * @param {Pick<import('./peer.js').Connecting, 'target' | 'application' | 'signIn' | 'signInBy'>} connecting
 * @param {(signIn: import('./sign-in.js').SignIn, browser: import('./browser.js').Browser) => any} providerOf makes the provider of the SDK
 * @returns {Auth}
 */
export function authOf({ target, application: { browser }, signIn, signInBy }, providerOf) {
  if (signIn === undefined || target.transport === 'stdio') return {};
  return signInBy === undefined
    ? { authProvider: providerOf(signIn, browser) }
    : officialOptions(signIn, { url: target.url, by: signInBy, browser });
}
