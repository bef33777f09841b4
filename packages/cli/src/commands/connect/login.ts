import type { SignedIn, UserProvider } from '@tenon/mcp-auth/client';
import { visibleText } from '@tenon/mcp-config';
import { failureOf, type UrlServer, WorkbenchError } from '@tenon/mcp-workbench';
import type { CommandContext, CommandLine } from '../../context.js';
import { chosenServer } from '../../server/chosen-server.js';
import { noServerOptions } from '../../server/server-options.js';
import { authStore, browserAuth } from '../../server/sign-in.js';

/** Options of `tenon login`. */
interface LoginOptions {
  readonly list?: true;
  readonly scopes?: readonly string[];
  readonly browser: boolean;
  readonly device?: true;
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
export async function runLogin(line: CommandLine<LoginOptions>): Promise<void> {
  const { options, terminal, signal } = line;
  if (options.list === true) return listLogins(line);
  const { url } = await signInServer(line);
  const { scopes, browser, device, timeout, json, clientId, consent } = options;
  const redirectUri = redirectUriOf(options);
  const provider = await browserAuth(terminal, {
    browser,
    ...(device && { device }),
    ...(scopes !== undefined && { scopes }),
    ...(timeout !== undefined && { timeout: timeout * 1_000 }),
    ...(redirectUri !== undefined && { redirectUri }),
    ...(consent === true && { consent }),
    ...(clientId !== undefined && { client: { clientId, issuer: await issuerOf(url, line) } }),
  });
  await provider.signIn(url, { signal }).catch(fail(url, device));
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
  const provider = await browserAuth(terminal);
  return provider.issuerOf(url, { signal }).catch(fail(url));
}

/** Returns the handler of an error of a sign-in, which adds the next step for the user. */
function fail(url: string, device?: true): (error: unknown) => never {
  return (error) => {
    throw loginFailure(error, url, device);
  };
}

function loginFailure(error: unknown, url: string, device?: true): unknown {
  const failure = failureOf(error);
  if (failure?.reason !== 'authorization' || failure.hint !== undefined) return error;
  const hint = hintOf(error, url, device);
  return new WorkbenchError(failure.reason, failure.message, { hint, cause: error });
}

function hintOf(error: unknown, url: string, device?: true): string {
  const reason = error instanceof Error && 'reason' in error ? error.reason : undefined;
  if (device && reason === 'unsupported')
    return `Sign in with a browser on another machine: run "ssh -L 8123:127.0.0.1:8123" to this machine there, and "tenon login ${url} --no-browser --port 8123" here.`;
  if (device && reason === 'timeout') return `Run "tenon login ${url} --device" again for another code.`;
  if (reason === 'timeout')
    return `If the page showed an error, forget the registration with "tenon logout ${url}", and sign in again.`;
  const isOpen = `A server that does not require sign-in works without: tenon list ${url}`;
  return reason === 'not-registered'
    ? `Pass the id of a client that was registered by hand: --client-id ID. ${isOpen}`
    : isOpen;
}

async function listLogins({ options: { json }, terminal }: CommandLine<LoginOptions>): Promise<void> {
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

/** Options of `tenon logout`. */
interface LogoutOptions {
  readonly all?: true;
  readonly config?: string;
  readonly trust?: true;
  readonly json?: true;
}

/** Deletes the tokens of one server, or of all, and revokes them where the authorization server can. */
export async function runLogout(line: CommandLine<LogoutOptions>): Promise<void> {
  const { options, terminal, words } = line;
  if (options.all === true && words.length > 0)
    throw new WorkbenchError('usage', 'Name a server, or write --all, not both.');
  const store = await authStore(terminal);
  const signedIn = await store.servers();
  const chosen = options.all === true ? signedIn : [new URL((await signInServer(line)).url).href];
  const provider = await browserAuth(terminal);
  const done: string[] = [];
  for (const server of chosen.filter((one) => signedIn.includes(one))) {
    await provider.signOut(server);
    done.push(server);
  }
  if (options.json === true) return terminal.printJson({ signedOut: done });
  for (const server of done) terminal.print(`Signed out of ${server}`);
  if (done.length > 0) return;
  terminal.note(
    options.all === true
      ? 'You are not signed in to any server.'
      : `You are not signed in to ${chosen.join()}.`,
  );
}

/**
 * Returns the server of a command that signs in or out.
 * @throws WorkbenchError `usage` if no server is named, or if it is started by a command.
 */
async function signInServer(line: CommandLine<LogoutOptions>): Promise<UrlServer> {
  const { target } = await chosenServer(line.words, { ...noServerOptions, ...line.options }, line);
  if (target.kind === 'url') return target;
  throw new WorkbenchError('usage', 'A server that is started by a command has no sign-in.', {
    hint: 'Name a server with a URL.',
  });
}
