import { type OptionRule, optionRules, requireOptions } from '@tenon/foundation';
import { isUrl } from '@tenon/mcp-protocol/internal';
import { requireClientKey } from '../oauth/client-assertion.js';
import type { ClientInformation, ClientKey } from '../oauth/client-information.js';
import { credentialRules, requireCredentials } from '../oauth/own-credentials.js';

/** A client that was registered at an authorization server before, for example by hand. */
export interface RegisteredClient extends Omit<ClientInformation, 'secretExpiresAt' | 'redirectUris'> {
  /** The authorization server of the registration; the client is used only there. */
  readonly issuer: string;
}

/** The metadata of a client for its registration. */
export interface ClientMetadata {
  /** The name that authorization servers show to users. */
  readonly name: string;
  /** https URL of a page about the client. */
  readonly uri?: string | undefined;
  readonly logoUri?: string | undefined;
  readonly policyUri?: string | undefined;
  readonly termsUri?: string | undefined;
  readonly contacts?: readonly string[] | undefined;
  readonly softwareId?: string | undefined;
  readonly softwareVersion?: string | undefined;
  /** Scopes that it may request; default: chosen by the authorization server. */
  readonly scopes?: readonly string[] | undefined;
}

/** The client ids of an application, or its metadata to obtain them. */
export interface ClientIdentity {
  /** Clients that are already registered, at most one for each issuer. */
  readonly registered?: readonly RegisteredClient[] | undefined;
  /** https URL of the client id metadata document: the client id at authorization servers that support it. */
  readonly metadataUrl?: string | undefined;
  /** The private key for the public key in that document. */
  readonly metadataKey?: ClientKey | undefined;
  /** The metadata for dynamic registration; undefined turns it off. */
  readonly dynamic?: ClientMetadata | undefined;
}

const { text, texts } = optionRules;

const webAddress: OptionRule = {
  is: 'an https address',
  allows: (value) => typeof value === 'string' && value.startsWith('https://') && isUrl(value),
};

/** The rules of {@link ClientMetadata}, to combine with further options. */
export const clientMetadataRules: { readonly [Name in keyof Required<ClientMetadata>]: OptionRule } = {
  name: text,
  uri: webAddress,
  logoUri: webAddress,
  policyUri: webAddress,
  termsUri: webAddress,
  contacts: texts,
  softwareId: text,
  softwareVersion: text,
  scopes: texts,
};

/**
 * Rejects an invalid identity.
 * @param owner - the function with this option, for errors.
 * @throws TypeError that says what to write instead, without secrets.
 */
export function requireClientIdentity(owner: string, identity: ClientIdentity): void {
  const { registered = [], metadataUrl, metadataKey, dynamic } = identity;
  const issuers = new Set<string>();
  for (const client of registered) {
    const { issuer } = client;
    requireOptions(`${owner}: registered`, client, credentialRules);
    if (issuer === undefined) throw new TypeError(`${owner}: each entry of registered needs an issuer.`);
    if (issuers.has(issuer)) throw new TypeError(`${owner}: two clients are registered at ${issuer}.`);
    issuers.add(issuer);
    requireCredentials(`${owner}: registered`, client);
  }
  const problem = metadataUrl === undefined ? undefined : clientIdUrlProblem(metadataUrl);
  if (problem !== undefined) throw new TypeError(`${owner}: metadataUrl ${problem}.`);
  if (metadataKey !== undefined) requireClientKey(owner, metadataKey);
  if (dynamic !== undefined) requireOptions(owner, dynamic, clientMetadataRules);
}

/**
 * Returns the reason why a text cannot be the URL of a client id metadata document, as the end of a sentence; undefined if it
 * can.
 * https://www.ietf.org/archive/id/draft-ietf-oauth-client-id-metadata-document-00.html#section-3
 */
export function clientIdUrlProblem(text: string): string | undefined {
  if (!text.startsWith('https://') || !isUrl(text)) return 'must be an https address';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (/[?#]/.test(text)) return 'must have no query and no fragment';
  if (url.pathname === '/') return 'must have a path, such as /oauth/client.json';
  // Servers compare this text with the URL that they fetched, which the URL parser has normalized.
  return url.href === text ? undefined : `must be written as ${url.href}`;
}
