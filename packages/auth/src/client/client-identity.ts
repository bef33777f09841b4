import { isUrl } from '@tenon/mcp-protocol/internal';
import { type OptionRule, optionRules, requireOptions } from '@tenon/mcp-session/internal';
import { requireClientKey } from './client-assertion.js';
import { clientIdUrlFlaw } from './client-id-url.js';
import type { ClientInformation, ClientKey } from './client-information.js';
import { credentialRules, requireCredentials } from './own-credentials.js';

/** A client that was registered by hand. */
export interface RegisteredClient extends Omit<ClientInformation, 'secretExpiresAt'> {
  /** Where it was registered; it is never used anywhere else. */
  readonly issuer: string;
}

/** What a client tells of itself when it registers. */
export interface ClientMetadata {
  /** What users are shown. */
  readonly name: string;
  /** https address of a page about the client. */
  readonly uri?: string | undefined;
  readonly logoUri?: string | undefined;
  readonly policyUri?: string | undefined;
  readonly termsUri?: string | undefined;
  readonly contacts?: readonly string[] | undefined;
  readonly softwareId?: string | undefined;
  readonly softwareVersion?: string | undefined;
  /** Scopes that it may ever ask for; the authorization server's default where they are left out. */
  readonly scopes?: readonly string[] | undefined;
}

/** Who the application is to authorization servers. */
export interface ClientIdentity {
  /** Clients that were registered by hand, at most one for each issuer. */
  readonly registered?: readonly RegisteredClient[] | undefined;
  /** https URL of the client's metadata document: its id where authorization servers take that. */
  readonly metadataUrl?: string | undefined;
  /** The key whose public part stands in that document. */
  readonly metadataKey?: ClientKey | undefined;
  /** What it tells where it has to register by itself; it does not do so without. */
  readonly dynamic?: ClientMetadata | undefined;
}

const { text, texts } = optionRules;

const webAddress: OptionRule = {
  is: 'an https address',
  allows: (value) => typeof value === 'string' && value.startsWith('https://') && isUrl(value),
};

/** The rules of {@link ClientMetadata}, for those who take it with more. */
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
 * Refuses an identity that can never work.
 * @param owner - what is given it, as the message names it.
 * @throws TypeError that says what to write instead, and nothing of a secret.
 */
export function requireClientIdentity(owner: string, identity: ClientIdentity): void {
  const { registered = [], metadataUrl, metadataKey, dynamic } = identity;
  const issuers = new Set<string>();
  for (const client of registered) {
    const { issuer } = client;
    requireOptions(`${owner}: registered`, client, credentialRules);
    if (issuer === undefined) throw new TypeError(`${owner}: a client that was registered needs its issuer.`);
    if (issuers.has(issuer)) throw new TypeError(`${owner}: two clients are registered at ${issuer}.`);
    issuers.add(issuer);
    requireCredentials(`${owner}: registered`, client);
  }
  const flaw = metadataUrl === undefined ? undefined : clientIdUrlFlaw(metadataUrl);
  if (flaw !== undefined) throw new TypeError(`${owner}: metadataUrl ${flaw}.`);
  if (metadataKey !== undefined) requireClientKey(owner, metadataKey);
  if (dynamic !== undefined) requireOptions(owner, dynamic, clientMetadataRules);
}
