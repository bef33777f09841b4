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

/** How somebody signs in. */
export interface SigningIn {
  readonly browser?: ScriptedBrowser;
  /** Who the client is to authorization servers; by default it registers itself. */
  readonly identity?: Omit<OauthClient, 'name'>;
  readonly store?: AuthStore;
  /** Another way to come by tokens than signing in. */
  readonly auth?: AuthProvider;
  /** The address the user gives; by default that of the place. */
  readonly url?: string;
}

/** A protected server, and the authorization server that it sends its clients to. */
export interface Setting {
  readonly revision: string;
  readonly place: HttpPlace;
  readonly issuer: TestAuthorizationServer;
  /** What the server says at the moment. */
  script: Script;
}

/** What else a setting may have. */
export interface SettingOptions {
  /** Path of the MCP server. */
  readonly path?: string;
  /** Fetches the metadata documents of clients. */
  readonly fetch?: NonNullable<TestAuthorizationServerOptions['fetch']>;
}

/** Starts an authorization server that ends with the test. */
export async function startIssuer(
  options: TestAuthorizationServerOptions = {},
): Promise<TestAuthorizationServer> {
  const issuer = await startTestAuthorizationServer(options);
  onTestFinished(() => issuer.close());
  return issuer;
}

/**
 * A server that is protected as a revision has it: by a metadata document that its challenge points to, and in 2025-03-26
 * by an authorization server at its own origin.
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
    ...(shared && { rest: place.hear }),
  });
  if (shared) place.origin = issuer.origin;
  const script = shared ? {} : pointingTo([issuer.issuer], place);
  const made: Setting = { revision, place, issuer, script };
  place.serve = scriptedResource(() => made.script);
  return made;
}

/** The script of a server whose challenge leads to its document, and that to authorization servers. */
export function pointingTo(issuers: readonly string[], place: HttpPlace, scope?: string): Script {
  const { origin, url } = place;
  const path = `/.well-known/oauth-protected-resource${place.path}`;
  const said = scope === undefined ? '' : `, scope="${scope}"`;
  return {
    challenge: `Bearer resource_metadata="${origin}${path}"${said}`,
    documents: { [path]: { resource: url, authorization_servers: [...issuers] } },
  };
}

/** Connects a client that signs in where it has to, in the revision of the setting; it ends with the test. */
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

/** What an authorization server was asked at one of its addresses, in order. */
export function asked(issuer: TestAuthorizationServer, endpoint: TestEndpoint): readonly RecordedRequest[] {
  return issuer.requests.filter((request) => request.endpoint === endpoint);
}
