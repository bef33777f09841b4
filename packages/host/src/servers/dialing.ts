import type { AuthProvider, CommandTarget, ConnectOptions, Target, UrlTarget } from '@tenon/mcp-client';
import { originOf, type StartAccess } from '../access/access-request.js';
import { digestOf } from '../access/digest.js';
import type { Credentials, Vault } from './credentials.js';
import { quietAuth } from './quiet-auth.js';
import type { Dialing } from './server-connection.js';
import type { ServerSettings } from './server-settings.js';

/** A server of one user. */
export interface UserServer {
  readonly name: string;
  readonly user: string | undefined;
  readonly settings: ServerSettings;
  readonly vault: Vault | undefined;
}

export interface DialingParts extends UserServer {
  /** Options that the host sets for every client of this server. */
  readonly options: Pick<ConnectOptions, 'info' | 'extensions' | 'onError'> & Partial<ConnectOptions>;
  /** True while the user has asked to sign in. */
  readonly mayPrompt: () => boolean;
  /** Resolves if the program may be started. */
  readonly permit: (request: StartAccess) => Promise<void>;
}

/** Returns the target and options of a connection, with the credentials of the user. A program is permitted first. */
export async function dialing(parts: DialingParts): Promise<Dialing> {
  const { name, user, settings } = parts;
  const { target, trusted: _, roots: __, idle: ___, auth: ____, extensions = [], ...client } = settings;
  const url = urlOf(target);
  const credentials = await credentialsOf(parts);
  const auth = authOf(parts, credentials);
  const options: ConnectOptions = {
    ...client,
    ...parts.options,
    extensions: [...(parts.options.extensions ?? []), ...extensions],
    ...(user !== undefined && { identity: JSON.stringify([user, name]) }),
    ...(auth !== undefined && { auth: quietAuth(auth, parts.mayPrompt) }),
  };
  if (isCommand(target))
    // A program that ended is started by the host, which gets a permit for each start.
    return { target: await permitted(target, credentials, parts), options: { ...options, reconnect: false } };
  const { headers } = credentials;
  if (headers === undefined || url === undefined) return { target, options };
  const given = client.headers ?? (target as Partial<UrlTarget>).headers;
  const own = lowered(headers);
  const merged =
    typeof given === 'function'
      ? async () => ({ ...lowered(await given()), ...own })
      : { ...lowered(given), ...own };
  return { target: url, options: { ...options, headers: merged } };
}

/** Signs the user in, if the server has a provider that can begin a sign-in. Others sign in when the server refuses the next request. */
export async function signInAt(server: UserServer, signal: AbortSignal): Promise<void> {
  const url = urlOf(server.settings.target);
  const auth = authOf(server, await credentialsOf(server)) as Partial<SignInProvider> | undefined;
  if (url !== undefined) await auth?.signIn?.(url, { signal });
}

/** Returns what answers of users for a server belong to: another address or command is another server. */
export function identityOf(target: Target): string {
  const url = urlOf(target);
  if (url !== undefined) return url.origin + url.pathname;
  return isCommand(target) ? JSON.stringify([target.command, ...(target.args ?? [])]) : '';
}

/** Returns headers with lower-case names, so that one of the user replaces one of the settings in whatever case. */
function lowered<Value>(headers: Readonly<Record<string, Value>> = {}): Record<string, Value> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

interface SignInProvider extends AuthProvider {
  signIn(server: URL, options: { readonly signal: AbortSignal }): Promise<void>;
}

async function credentialsOf({ name, user, settings, vault }: UserServer): Promise<Credentials> {
  const request = { user, server: name, url: urlOf(settings.target)?.href };
  return (await vault?.credentialsFor(request)) ?? {};
}

/** With a vault, the account of the settings is not that of a user. */
function authOf({ user, settings, vault }: UserServer, credentials: Credentials): AuthProvider | undefined {
  const isOfUser = vault !== undefined && user !== undefined;
  return credentials.auth ?? (isOfUser ? undefined : settings.auth);
}

async function permitted(
  target: CommandTarget,
  { env = {} }: Credentials,
  { name, user, permit }: DialingParts,
): Promise<CommandTarget> {
  const { command, args = [], env: own = {}, cwd } = target;
  const all = { ...own, ...env };
  const folder = cwd ?? globalThis.process?.cwd?.();
  await permit({
    kind: 'start',
    server: name,
    name: [command, ...args].map(quoted).join(' '),
    ...{ command, args, variables: Object.keys(all).sort() },
    ...(folder !== undefined && { cwd: folder }),
    digest: await digestOf([command, args, folder ?? '', own, Object.keys(env).sort()]),
    origin: originOf({ user }),
  });
  return { stderr: 'pipe', ...target, env: all };
}

/** Returns the URL of a target, undefined for a target without one. */
function urlOf(target: Target): URL | undefined {
  const text = typeof target === 'object' && 'url' in target ? target.url : target;
  if (text instanceof URL) return text;
  return typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
}

function isCommand(target: Target): target is CommandTarget {
  return typeof target === 'object' && 'command' in target;
}

/** Returns a word of a command line so that its limits and all its characters can be seen. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
}
