import { BoundedMap } from '@tenon/foundation';
import type { UnknownObject } from '@tenon/mcp-protocol';
import { isObject, isUrl } from '@tenon/mcp-protocol/internal';
import type { JSONWebKeySet } from 'jose';
import { OauthProblem, reasonOf } from '../http/answer.js';
import { isLoopbackUri } from '../http/redirect-uris.js';
import type { TestClient } from '../options/behaviour.js';
import { type ClientFacts, invalid, type MetadataRules, readClientMetadata } from './client-metadata.js';

/** Options for fetching documents of clients. */
export interface DocumentFetching {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly bytes: number;
  /** Milliseconds for the whole response. */
  readonly time: number;
}

/** The registered clients, and those known by their metadata documents. */
export class ClientRegistry {
  readonly clients: BoundedMap<string, TestClient>;
  readonly #fetching: DocumentFetching;
  readonly #fetched = new WeakSet<TestClient>();

  constructor(most: number, fetching: DocumentFetching) {
    this.clients = new BoundedMap(most);
    this.#fetching = fetching;
  }

  /** Returns the client with an id, and fetches its metadata document if the id is a URL; undefined if there is none. */
  async find(clientId: string, again: boolean): Promise<TestClient | undefined> {
    const known = this.clients.get(clientId);
    const isCurrent = known !== undefined && !(again && this.#fetched.has(known));
    if (isCurrent || !isDocumentAddress(clientId)) return known;
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
    const unusable = (reason: string) => new OauthProblem('invalid_client', reason);
    const document = await fetchDocument(url, this.#fetching).catch((cause: unknown) => {
      throw unusable(`The document ${url} cannot be read: ${reasonOf(cause)}.`);
    });
    if (document.client_id !== url) throw unusable(`client_id in the document ${url} is not that URL.`);
    if (typeof document.client_name !== 'string') throw unusable(`The document ${url} has no client_name.`);
    const client = await this.read(
      { token_endpoint_auth_method: 'none', ...document },
      { authMethods: ['none', 'private_key_jwt'], byType: false },
    );
    return { ...client, clientId: url };
  }

  async #keysAt(uri: string): Promise<JSONWebKeySet> {
    const problem = (reason: string) => invalid(`The keys at jwks_uri cannot be read: ${reason}.`);
    if (!uri.startsWith('https://') && !isLoopbackUri(uri)) throw problem('it must be an https URL');
    const { keys } = await fetchDocument(uri, this.#fetching).catch((cause: unknown) => {
      throw problem(reasonOf(cause));
    });
    if (!Array.isArray(keys) || !keys.every(isObject)) throw problem('it is not a JWK Set');
    return { keys };
  }
}

/**
 * Fetches a JSON object of bounded size, without following redirects.
 * @throws Error with the reason if there is none
 */
async function fetchDocument(url: string, { fetch, bytes, time }: DocumentFetching): Promise<UnknownObject> {
  const headers = { accept: 'application/json' };
  const response = await fetch(url, { redirect: 'error', headers, signal: AbortSignal.timeout(time) });
  if (response.status !== 200) throw new Error(`the status is ${response.status}`);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += piece.byteLength;
    if (size > bytes) throw new Error(`it is larger than ${bytes} bytes`);
    pieces.push(piece);
  }
  const value: unknown = JSON.parse(Buffer.concat(pieces).toString('utf8'));
  if (!isObject(value)) throw new Error('it is not a JSON object');
  return value;
}

/** https://www.ietf.org/archive/id/draft-ietf-oauth-client-id-metadata-document-00.html#section-3 */
function isDocumentAddress(clientId: string): boolean {
  if (!clientId.startsWith('https://') || !isUrl(clientId)) return false;
  const { pathname, username, password } = new URL(clientId);
  const hasDots = /\/\.{1,2}(?:\/|$)/.test(clientId);
  return pathname !== '/' && username === '' && password === '' && !clientId.includes('#') && !hasDots;
}
