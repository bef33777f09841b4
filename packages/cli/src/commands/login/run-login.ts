import type { SignedIn, UserProvider } from '@tenon/mcp-auth/client';
import { failureOf, WorkbenchError } from '@tenon/mcp-workbench';
import { visibleText } from '@tenon/mcp-workbench/clients';
import type { CommandContext } from '../../context.js';
import { authStore, browserAuth } from '../../server/sign-in.js';
import { signInServer } from '../../server/sign-in-server.js';

/** Options of `tenon login`. */
export interface LoginOptions {
  readonly list?: true;
  readonly scopes?: readonly string[];
  readonly browser: boolean;
  readonly clientId?: string;
  readonly host?: string;
  readonly port?: number;
  readonly consent?: true;
  /** In seconds. */
  readonly timeout?: number;
  readonly config?: string;
  readonly trust?: true;
  readonly json?: true;
}

/** A server with stored tokens, without secrets. */
interface LoginEntry extends Partial<SignedIn> {
  readonly server: string;
}

/** Signs in at a server, or lists the servers with stored tokens. */
export async function runLogin(
  word: string | undefined,
  options: LoginOptions,
  context: CommandContext,
): Promise<void> {
  if (options.list === true) return listLogins(options, context);
  const { terminal, signal } = context;
  const { url } = await signInServer(word, options, context);
  const { scopes, browser, timeout, json, clientId, consent } = options;
  const redirectUri = redirectUriOf(options);
  const provider = await browserAuth(terminal, {
    browser,
    ...(scopes !== undefined && { scopes }),
    ...(timeout !== undefined && { timeout: timeout * 1_000 }),
    ...(redirectUri !== undefined && { redirectUri }),
    ...(consent === true && { consent }),
    ...(clientId !== undefined && { client: { clientId, issuer: await issuerOf(url, context) } }),
  });
  await signIn(provider, url, signal);
  const entry = await entryOf(provider, url);
  if (json === true) terminal.printJson(entry);
  else terminal.print(`Signed in to ${entry.server}\n${detailsOf(entry)}`);
}

/** Returns the redirect URI for the options --host and --port; undefined without them. */
function redirectUriOf({ host, port }: LoginOptions): string | undefined {
  if (host === undefined && port === undefined) return undefined;
  const named = host === '::1' ? '[::1]' : (host ?? '127.0.0.1');
  return `http://${named}${port === undefined || port === 0 ? '' : `:${port}`}/callback`;
}

/** Returns the issuer at which a client id is used: that of the server, and no other one. */
async function issuerOf(url: string, { terminal, signal }: CommandContext): Promise<string> {
  try {
    return await (await browserAuth(terminal)).issuerOf(url, { signal });
  } catch (error) {
    throw loginFailure(error, url);
  }
}

async function signIn(provider: UserProvider, url: string, signal: AbortSignal): Promise<void> {
  try {
    await provider.signIn(url, { signal });
  } catch (error) {
    throw loginFailure(error, url);
  }
}

function loginFailure(error: unknown, url: string): unknown {
  const failure = failureOf(error);
  if (failure?.reason !== 'authorization' || failure.hint !== undefined) return error;
  const hint = hintOf(error, url);
  return new WorkbenchError(failure.reason, failure.message, { hint, cause: error });
}

function hintOf(error: unknown, url: string): string {
  const reason = error instanceof Error && 'reason' in error ? error.reason : undefined;
  if (reason === 'timeout')
    return `If the page showed an error, forget the registration with "tenon logout ${url}", and sign in again.`;
  const isOpen = `A server that does not require sign-in works without: tenon list ${url}`;
  return reason === 'not-registered'
    ? `Pass the id of a client that was registered by hand: --client-id ID. ${isOpen}`
    : isOpen;
}

async function listLogins({ json }: LoginOptions, { terminal }: CommandContext): Promise<void> {
  const servers = await (await authStore(terminal)).servers();
  const provider = await browserAuth(terminal);
  const entries = await Promise.all(servers.map((server) => entryOf(provider, server)));
  if (json === true) return terminal.printJson({ servers: entries });
  if (entries.length === 0) return terminal.note('You are not signed in to any server.');
  for (const entry of entries)
    terminal.print(`${terminal.paint('bold', visibleText(entry.server))}\n${detailsOf(entry)}`);
}

async function entryOf(provider: UserProvider, server: string): Promise<LoginEntry> {
  const { origin, pathname } = new URL(server);
  return { server: origin + pathname, ...(await provider.signedIn(server)) };
}

function detailsOf({ issuer, scopes, expiresAt, isRenewable }: LoginEntry): string {
  const expiry =
    expiresAt === undefined ? 'unknown' : new Date(expiresAt).toISOString().slice(0, 16).replace('T', ' ');
  const renewal = isRenewable === true ? ', renewed automatically' : '';
  return [
    ...(issuer === undefined ? [] : [`  issuer   ${visibleText(issuer)}`]),
    ...(scopes === undefined ? [] : [`  scopes   ${scopes.join(' ')}`]),
    `  expires  ${expiry}${expiresAt === undefined ? '' : ' UTC'}${renewal}`,
  ].join('\n');
}
