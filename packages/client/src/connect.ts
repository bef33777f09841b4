import { type OptionRule, optionRules, requireOptions } from '@tenon/foundation';
import type { ContractOf } from '@tenon/mcp-protocol';
import type { Client } from './client.js';
import { createClient } from './create-client.js';
import type { ClientExtension, MembersOf } from './extensions/installation.js';
import { type ClientOptions, type ConnectOptions, requireClientOptions } from './options.js';
import type { CommandTarget, ConnectionFactory, Dialer, UrlTarget } from './session/dialer.js';

/** The client of a server, by the server's type, with the members that extensions add. */
export type ExtendedClient<S, E extends readonly ClientExtension[]> =
  object extends MembersOf<E> ? Client<ContractOf<S>> : Client<ContractOf<S>> & MembersOf<E>;

/**
 * Connects to a server in the newest revision that both ends support, and keeps the connection alive until it is closed.
 * The type of a server types its tools and prompts: `connect<typeof server>(...)`. Without it, extensions type the members that they
 * add to the client; with it, `extension.of(client)` returns them.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
 * @throws TypeError or RangeError for invalid or unknown options; SessionError `no-common-revision` with the revisions of both
 * ends, or `closed`, `timeout`; RemoteError if the server rejects the connection; TransportError if it cannot be reached.
 */
export async function connect<
  S = unknown,
  const E extends readonly ClientExtension[] = readonly ClientExtension[],
>(target: Target, options: ConnectOptions & { readonly extensions?: E }): Promise<ExtendedClient<S, E>> {
  requireClientOptions(options);
  const client = await createClient<ContractOf<S>>(options, await dialerOf(target, options));
  // createClient added the members of the extensions.
  return client as ExtendedClient<S, E>;
}

/** The target of a connection. */
export type Target = string | URL | UrlTarget | CommandTarget | ConnectionFactory | Dialer;

const supported =
  'a URL ("https://example.com/mcp" or { url, headers }), a command to start ({ command, args, env, cwd }), a function that returns a Connection, or a Dialer ({ open, restartable })';

type DialerSettings = Pick<ClientOptions, 'auth' | 'headers' | 'fetch' | 'clock' | 'random'>;

/**
 * Returns the dialer of a target. Code that starts processes or opens sockets loads only if a target needs it.
 * @throws TypeError if the target is invalid, or does not support a setting.
 */
async function dialerOf(target: Target, settings: DialerSettings = {}): Promise<Dialer> {
  const server = urlOf(target, settings);
  if (server !== undefined) {
    const { httpTarget } = await import('./http.js');
    const { auth, fetch, clock, random } = settings;
    return httpTarget(server.url, { auth, headers: server.headers, fetch, clock, random });
  }
  for (const name of ['auth', 'headers', 'fetch'] as const) {
    if (settings[name] !== undefined) {
      throw new TypeError(
        `The option ${name} is for URLs: give it to httpTarget(url, { ${name} }) otherwise.`,
      );
    }
  }
  if (typeof target === 'function') return { open: target, restartable: true };
  if (typeof target === 'object' && target !== null) {
    if ('open' in target && typeof target.open === 'function') return target;
    if ('command' in target) {
      requireOptions('connect, target with a command', target, commandRules);
      const { type: _, ...command } = target;
      const { stdioTarget } = await import('#stdio');
      return stdioTarget(command);
    }
  }
  const meant = typeof target === 'string' ? meantBy(target.trim()) : undefined;
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  throw new TypeError(`This is not a target: give ${supported}.${hint}`);
}

const { text } = optionRules;

const ofTexts: OptionRule = {
  is: 'an object of texts',
  allows: (value) =>
    optionRules.object.allows(value) &&
    Object.values(value as object).every((one) => typeof one === 'string'),
};

const urlRules: { readonly [Name in keyof Required<UrlTarget>]: OptionRule } = {
  url: { is: 'a URL', allows: (value) => value instanceof URL || text.allows(value) },
  headers: ofTexts,
  type: typeOf('http', 'streamable-http', 'sse'),
};

const commandRules: { readonly [Name in keyof Required<CommandTarget>]: OptionRule } = {
  command: text,
  args: { is: 'a list of texts', allows: isTexts },
  env: ofTexts,
  cwd: text,
  stderr: {
    is: '"show", "pipe", "inherit", "ignore" or a function',
    allows: (value) =>
      typeof value === 'function' || ['show', 'pipe', 'inherit', 'ignore'].includes(value as string),
  },
  type: typeOf('stdio'),
};

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function typeOf(...types: readonly string[]): OptionRule {
  return {
    is: types.map((type) => JSON.stringify(type)).join(' or '),
    allows: (value) => types.includes(value as string),
  };
}

/**
 * Returns the URL of a target and its headers; undefined for a target of another kind.
 * @throws TypeError if the target has an unknown member, or if the options have headers as well.
 */
function urlOf(
  target: Target,
  { headers }: DialerSettings,
): { readonly url: string | URL; readonly headers: DialerSettings['headers'] } | undefined {
  if (target instanceof URL || (typeof target === 'string' && /^[a-z][a-z0-9+.-]*:\/\//i.test(target)))
    return { url: target, headers };
  if (typeof target !== 'object' || target === null || !('url' in target)) return undefined;
  requireOptions('connect, target with a url', target, urlRules);
  if (target.headers !== undefined && headers !== undefined)
    throw new TypeError('connect: headers are in the target and in the options: give them once.');
  return { url: target.url, headers: target.headers ?? headers };
}

/** Returns the probable meaning of a text: an address without its scheme, or a command line. */
function meantBy(text: string): string | undefined {
  if (text === '' || text.length > 500) return undefined;
  if (
    /^(localhost|[\w-]+(\.[\w-]+)+|\[[\da-f:]+\])(:\d+)(\/\S*)?$/i.test(text) ||
    /^localhost(\/\S*)?$/i.test(text)
  )
    return JSON.stringify(`http://${text}`);
  const [command = '', ...args] = text.split(/\s+/);
  if (args.length > 0) return `{ command: ${JSON.stringify(command)}, args: ${JSON.stringify(args)} }`;
  if (/\.[cm]?js$/.test(command)) return `{ command: "node", args: ${JSON.stringify([command])} }`;
  return /^[\w-]+(\.[\w-]+)+\/\S*$/.test(text) ? JSON.stringify(`https://${text}`) : undefined;
}
