import type { CommandTarget, ConnectOptions, UrlTarget } from '@tenon/mcp-client';
import type { StartAccess } from '../access/access-request.js';
import type { Credentials, Vault } from './credentials.js';
import type { Dialing } from './managed-server.js';
import { quietAuth } from './quiet-auth.js';
import type { ServerSettings } from './server-settings.js';

export interface DialingParts {
  readonly name: string;
  readonly user: string | undefined;
  readonly settings: ServerSettings;
  readonly vault: Vault | undefined;
  /** Options that the host sets for every client of this server. */
  readonly options: Pick<ConnectOptions, 'info' | 'extensions' | 'middleware' | 'onError'> &
    Partial<ConnectOptions>;
  /** True while the user has asked to sign in. */
  readonly mayPrompt: () => boolean;
  /** Resolves if the program may be started. */
  readonly permit: (request: StartAccess) => Promise<void>;
}

/** Returns the target and options of a connection, with the credentials of the user. A program is permitted first. */
export async function dialing(parts: DialingParts): Promise<Dialing> {
  const { name, user, settings, vault } = parts;
  const { target, trusted: _, roots: __, idle: ___, extensions = [], middleware = [], ...client } = settings;
  const url = urlOf(target);
  const credentials = (await vault?.credentialsFor({ user, server: name, url: url?.href })) ?? {};
  const auth = credentials.auth ?? client.auth;
  const options: ConnectOptions = {
    ...client,
    ...parts.options,
    extensions: [...(parts.options.extensions ?? []), ...extensions],
    middleware: [...(parts.options.middleware ?? []), ...middleware],
    ...(user !== undefined && { identity: JSON.stringify([user, name]) }),
    ...(auth !== undefined && { auth: quietAuth(auth, parts.mayPrompt) }),
  };
  const ready = { options, ...(auth !== undefined && url !== undefined && { signIn: signInAt(auth, url) }) };
  if (isCommand(target)) return { ...ready, target: await permitted(target, credentials, parts) };
  const { headers } = credentials;
  if (headers === undefined || url === undefined) return { ...ready, target };
  const given = client.headers ?? (target as Partial<UrlTarget>).headers;
  const merged =
    typeof given === 'function' ? async () => ({ ...(await given()), ...headers }) : { ...given, ...headers };
  return { ...ready, target: url, options: { ...options, headers: merged } };
}

async function permitted(
  target: CommandTarget,
  { env = {} }: Credentials,
  { name, user, permit }: DialingParts,
): Promise<CommandTarget> {
  const { command, args = [], cwd } = target;
  const all = { ...target.env, ...env };
  await permit({
    kind: 'start',
    server: name,
    name: [command, ...args].map(quoted).join(' '),
    ...{ command, args, variables: Object.keys(all).sort() },
    ...(cwd !== undefined && { cwd }),
    origin: { way: 'direct', ...(user !== undefined && { user }) },
  });
  return { stderr: 'pipe', ...target, env: all };
}

function signInAt(auth: NonNullable<Credentials['auth']>, url: URL): (signal: AbortSignal) => Promise<void> {
  const provider = auth as typeof auth & {
    signIn?: (server: URL, options: { readonly signal: AbortSignal }) => Promise<void>;
  };
  // Other providers sign in when the server refuses the next request.
  return async (signal) => provider.signIn?.(url, { signal });
}

/** Returns the URL of a target, undefined for a target without one. */
function urlOf(target: ServerSettings['target']): URL | undefined {
  const text = typeof target === 'object' && 'url' in target ? target.url : target;
  if (text instanceof URL) return text;
  return typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
}

function isCommand(target: ServerSettings['target']): target is CommandTarget {
  return typeof target === 'object' && 'command' in target;
}

/** Returns a word of a command line so that its limits and all its characters can be seen. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
}
