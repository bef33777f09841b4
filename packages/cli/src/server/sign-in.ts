import type { UserProvider } from '@tenon/mcp-auth/client';
import type { FileAuthStore } from '@tenon/mcp-auth/desktop';
import { commandLine } from '@tenon/mcp-config';
import { describeTarget, failureOf, type UrlServer, WorkbenchError } from '@tenon/mcp-workbench';
import type { CommandContext } from '../context.js';
import type { Terminal } from '../terminal/terminal.js';
import { ownFolder } from './named-server.js';
import type { ServerOptions } from './server-options.js';

/** The name of this program for users and authorization servers. */
const name = 'Tenon CLI';

/** Further options of a sign-in. */
interface SignInOptions {
  /** Scopes to request in addition to those that the server names. */
  readonly scopes?: readonly string[];
  /** False to print the URL only. */
  readonly browser?: boolean;
  /** True to sign in with a code on another device. */
  readonly device?: true;
  /** Milliseconds that the user may take. */
  readonly timeout?: number;
  /** The redirect URI; default: any free port of 127.0.0.1. */
  readonly redirectUri?: string;
  /** True to send `prompt=consent`. */
  readonly consent?: true;
  /** A client that was registered by hand, and its issuer. */
  readonly client?: { readonly clientId: string; readonly issuer: string };
}

/** Returns the store with the tokens of all commands. */
export async function authStore({ source }: Terminal): Promise<FileAuthStore> {
  const { FileAuthStore } = await import('@tenon/mcp-auth/desktop');
  const { join } = await import('node:path');
  return new FileAuthStore({ path: join(ownFolder(source), 'cli-auth.json') });
}

/** Returns the provider that signs the user in with a browser, or on another device. */
export async function browserAuth(
  terminal: Terminal,
  { scopes, browser = true, device, timeout, redirectUri, consent, client }: SignInOptions = {},
): Promise<UserProvider> {
  const { desktopAuth } = await import('@tenon/mcp-auth/desktop');
  const { openUrl } = terminal.source;
  return desktopAuth({
    name,
    store: await authStore(terminal),
    onUrl({ text, userCode }) {
      terminal.note(text);
      if (userCode !== undefined) terminal.note('Waiting until you have signed in. Ctrl+C stops waiting.');
    },
    ...(device && { device }),
    ...(openUrl !== undefined && { open: openUrl }),
    ...(!browser && { open: false }),
    ...(scopes !== undefined && { scopes }),
    ...(timeout !== undefined && { timeout }),
    ...(redirectUri !== undefined && { redirectUri }),
    ...(consent === true && { offlineAccess: 'consent' as const }),
    ...(client !== undefined && { client: { registered: [client] } }),
  });
}

/**
 * Returns the provider for the requests of a command: it uses stored tokens, and opens the browser where a person can sign in.
 * Undefined if the request has its own authorization, or if there are no tokens and no person.
 */
export async function authFor(
  target: UrlServer,
  { storedAuthOnly }: Pick<ServerOptions, 'storedAuthOnly'>,
  { terminal }: Pick<CommandContext, 'terminal'>,
): Promise<UserProvider | undefined> {
  if (hasAuthorization(target)) return undefined;
  if (terminal.isInteractive && storedAuthOnly !== true) return browserAuth(terminal);
  const provider = await storedAuth(terminal);
  return (await provider.signedIn(target.url)) === undefined ? undefined : provider;
}

/** Returns a provider that uses and renews stored tokens only. */
async function storedAuth(terminal: Terminal): Promise<UserProvider> {
  const { AuthError, oauth } = await import('@tenon/mcp-auth/client');
  return oauth({
    client: { name },
    store: await authStore(terminal),
    interaction: {
      applicationType: 'native',
      redirectUris: ['http://127.0.0.1/callback'],
      begin({ resource }) {
        throw new AuthError(
          'sign-in-needed',
          `${resource} requires sign-in, and the stored tokens are not valid.`,
        );
      },
    },
  });
}

/** Returns the error of a request, with the command that signs in if the server requires it. */
export function withSignInHint(error: unknown, target: UrlServer): unknown {
  const failure = failureOf(error);
  if (failure?.reason !== 'authorization') return error;
  if (hasAuthorization(target)) {
    const hint = 'The server did not accept the authorization header that was sent.';
    return new WorkbenchError('authorization', failure.message, { hint, cause: error });
  }
  const hint = `Sign in with "${commandLine(['tenon', 'login', target.name ?? target.url])}", or pass a token: --header "Authorization: Bearer TOKEN".`;
  // The message of the client names options of its library.
  const message = statusOf(error) === 401 ? `${describeTarget(target)} requires sign-in.` : failure.message;
  return new WorkbenchError('authorization', message, { hint, cause: error });
}

/** Returns true if the requests to a server have their own authorization. */
export function hasAuthorization({ headers = {} }: UrlServer): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
}

function statusOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
}
