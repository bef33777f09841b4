import { type AuthStore, type OauthClient, oauth } from '@tenon/mcp-auth/client';
import { type Client, connect } from '@tenon/mcp-client';
import type { AuthProvider } from '@tenon/mcp-protocol';
import {
  type AuthorizationBehaviour,
  type RecordedRequest,
  type ScriptedBrowser,
  scriptedBrowser,
  startTestAuthorizationServer,
  type TestAuthorizationServer,
  type TestAuthorizationServerOptions,
  type TestEndpoint,
} from '@tenon/mcp-testing/oauth';
import { onTestFinished } from 'vitest';
import { HttpPlace } from './http-place.js';
import { type Script, scriptedResource } from './scripted-resource.js';

const info = { name: 'matrix', version: '1.0.0' };

/** Options for a sign-in. */
export interface SigningIn {
  readonly browser?: ScriptedBrowser;
  /** The client's registration at authorization servers. Default: dynamic registration. */
  readonly identity?: Omit<OauthClient, 'name'>;
  readonly store?: AuthStore;
  /** A provider of tokens, in place of sign-in. */
  readonly auth?: AuthProvider;
  /** The URL the user enters. Default: the server's. */
  readonly url?: string;
}

/** A protected server and its authorization server. */
export interface Setting {
  readonly revision: string;
  readonly place: HttpPlace;
  readonly issuer: TestAuthorizationServer;
  /** The current responses of the server. */
  script: Script;
}

/** Options of a setting. */
export interface SettingOptions {
  /** Path of the MCP server. */
  readonly path?: string;
  /** Fetches the metadata documents of clients. */
  readonly fetch?: NonNullable<TestAuthorizationServerOptions['fetch']>;
}

/** Starts an authorization server that stops with the test. */
export async function startIssuer(
  options: TestAuthorizationServerOptions = {},
): Promise<TestAuthorizationServer> {
  const issuer = await startTestAuthorizationServer(options);
  onTestFinished(() => issuer.close());
  return issuer;
}

/**
 * Starts a server protected as a revision defines it: with a metadata document named by its challenge, and in 2025-03-26
 * with an authorization server at its own origin.
 */
export async function setting(
  revision: string,
  behaviour: AuthorizationBehaviour = {},
  { path = '/mcp', fetch }: SettingOptions = {},
): Promise<Setting> {
  const shared = revision === '2025-03-26';
  const place = shared ? new HttpPlace() : await HttpPlace.open();
  place.path = path;
  const issuer = await startIssuer({
    ...behaviour,
    ...(fetch && { fetch }),
    ...(shared && { rest: place.handle }),
  });
  if (shared) place.origin = issuer.origin;
  const script = shared ? {} : pointingTo([issuer.issuer], place);
  const made: Setting = { revision, place, issuer, script };
  place.serve = scriptedResource(() => made.script);
  return made;
}

/** Returns the script of a server with a challenge that names its metadata, which names authorization servers. */
export function pointingTo(issuers: readonly string[], place: HttpPlace, scope?: string): Script {
  const { origin, url } = place;
  const path = `/.well-known/oauth-protected-resource${place.path}`;
  const said = scope === undefined ? '' : `, scope="${scope}"`;
  return {
    challenge: `Bearer resource_metadata="${origin}${path}"${said}`,
    documents: { [path]: { resource: url, authorization_servers: [...issuers] } },
  };
}

/** Connects a client that signs in if necessary, in the revision of the setting; it closes with the test. */
export async function signIn(
  { revision, place }: Pick<Setting, 'revision' | 'place'>,
  how: SigningIn = {},
): Promise<Client> {
  const { identity, store, browser: interaction = scriptedBrowser() } = how;
  const client = { name: 'Matrix', ...identity };
  const auth = how.auth ?? oauth({ interaction, client, ...(store && { store }) });
  const connected = await connect(how.url ?? place.url, { info, revision, auth });
  onTestFinished(() => connected.close());
  return connected;
}

/** Returns the requests to an endpoint of an authorization server, in order. */
export function asked(issuer: TestAuthorizationServer, endpoint: TestEndpoint): readonly RecordedRequest[] {
  return issuer.requests.filter((request) => request.endpoint === endpoint);
}
