import type { UnknownObject } from '@tenon/mcp-protocol';
import { isObject, isUrl } from '@tenon/mcp-protocol/internal';
import type { JSONWebKeySet } from 'jose';
import { BoundedMap } from '../../bounded.js';
import { OauthProblem } from '../http/answer.js';
import type { TestClient } from '../options/behaviour.js';
import type { Settings } from '../options/settings.js';
import { type ClientFacts, type MetadataRules, readClientMetadata } from './client-metadata.js';
import { type DocumentFetching, fetchDocument } from './document-fetcher.js';
import { isLoopbackUri } from './redirect-uris.js';

/** The registered clients, and those known by their metadata documents. */
export class ClientRegistry {
  readonly clients: BoundedMap<string, TestClient>;
  readonly #fetching: DocumentFetching;
  readonly #fetched = new WeakSet<TestClient>();

  constructor(most: number, fetching: DocumentFetching) {
    this.clients = new BoundedMap(most);
    this.#fetching = fetching;
  }

  /**
   * Returns the client with an id, and fetches its metadata document if the id is a URL; undefined if there is no such
   * client.
   */
  async find(clientId: string, settings: Settings, again = false): Promise<TestClient | undefined> {
    const known = this.clients.get(clientId);
    const isCurrent = known !== undefined && !(again && this.#fetched.has(known));
    if (isCurrent || !settings.clientIdDocuments || !isDocumentAddress(clientId)) return known;
    const client = await this.#fromDocument(clientId);
    this.clients.set(clientId, client);
    this.#fetched.add(client);
    return client;
  }

  /**
   * Reads client metadata, and fetches the keys if the metadata has only `jwks_uri`.
   * @throws OauthProblem `invalid_redirect_uri` or `invalid_client_metadata`
   */
  async read(metadata: UnknownObject, rules: MetadataRules): Promise<ClientFacts> {
    const client = readClientMetadata(metadata, rules);
    const { jwks_uri: uri } = metadata;
    if (client.jwks !== undefined || typeof uri !== 'string') return client;
    return { ...client, jwks: await this.#keysAt(uri) };
  }

  async #fromDocument(url: string): Promise<TestClient> {
    const document = await fetchDocument(url, this.#fetching).catch((cause: unknown) => {
      throw new OauthProblem('invalid_client', `The document ${url} cannot be read: ${reasonOf(cause)}.`);
    });
    if (document.client_id !== url)
      throw new OauthProblem('invalid_client', `client_id in the document ${url} is not that URL.`);
    if (typeof document.client_name !== 'string')
      throw new OauthProblem('invalid_client', `The document ${url} has no client_name.`);
    const client = await this.read(
      { token_endpoint_auth_method: 'none', ...document },
      { authMethods: ['none', 'private_key_jwt'], byType: false },
    );
    return { ...client, clientId: url };
  }

  async #keysAt(uri: string): Promise<JSONWebKeySet> {
    const isAllowed = uri.startsWith('https://') || isLoopbackUri(uri);
    const problem = (reason: string) =>
      new OauthProblem('invalid_client_metadata', `The keys at jwks_uri cannot be read: ${reason}.`);
    if (!isAllowed) throw problem('it must be an https URL');
    const document = await fetchDocument(uri, this.#fetching).catch((cause: unknown) => {
      throw problem(reasonOf(cause));
    });
    if (!Array.isArray(document.keys) || !document.keys.every(isObject)) throw problem('it is not a JWK Set');
    return { keys: document.keys };
  }
}

/** https://www.ietf.org/archive/id/draft-ietf-oauth-client-id-metadata-document-00.html#section-3 */
function isDocumentAddress(clientId: string): boolean {
  if (!clientId.startsWith('https://') || !isUrl(clientId)) return false;
  const { pathname, username, password } = new URL(clientId);
  const hasDots = /\/\.{1,2}(?:\/|$)/.test(clientId);
  return pathname !== '/' && username === '' && password === '' && !clientId.includes('#') && !hasDots;
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
