import { type OptionRule, optionRules } from '@tenon/foundation';
import { requireIssuer } from '../http/endpoint-url.js';
import { requireClientKey } from './client-assertion.js';
import type { ClientAuthMethod, ClientInformation, ClientKey } from './client-information.js';

/** The credentials of a client that is already registered. */
export interface OwnCredentials {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  /** The private key for the public key that the authorization server has; safer than a secret, because it is never sent. */
  readonly key?: ClientKey | undefined;
  /** The authentication method; default: the safest one that the authorization server accepts. */
  readonly authMethod?: ClientAuthMethod | undefined;
}

const methods: ReadonlySet<unknown> = new Set<ClientAuthMethod>([
  'none',
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
]);

/** The rules of these options and of `issuer`, to combine with further options. */
export const credentialRules: Readonly<Record<keyof OwnCredentials | 'issuer', OptionRule>> = {
  clientId: optionRules.text,
  clientSecret: optionRules.text,
  key: optionRules.object,
  authMethod: { is: `one of ${[...methods].join(', ')}`, allows: (value) => methods.has(value) },
  issuer: optionRules.text,
};

/**
 * Rejects credentials that cannot authenticate.
 * @param owner - the function with these options, for errors.
 * @throws TypeError that says what to pass instead, without any part of the credentials.
 */
export function requireCredentials(
  owner: string,
  credentials: OwnCredentials & { readonly issuer?: string | undefined },
): void {
  const { clientId, clientSecret, key, authMethod, issuer } = credentials;
  if (clientId === undefined) throw new TypeError(`${owner}: clientId is missing.`);
  if (key !== undefined) requireClientKey(owner, key);
  if (issuer !== undefined) requireIssuer(owner, issuer);
  if (authMethod === 'private_key_jwt' && key === undefined) {
    throw new TypeError(`${owner}: private_key_jwt requires a key.`);
  }
  if (authMethod?.startsWith('client_secret') === true && clientSecret === undefined) {
    throw new TypeError(`${owner}: ${authMethod} requires a clientSecret.`);
  }
}

/** Returns the client with these credentials. */
export function ownClient({ clientId, clientSecret, key, authMethod }: OwnCredentials): ClientInformation {
  return { clientId, clientSecret, key, authMethod };
}

/** True if the client has a secret or a key to authenticate with. */
export function canProve({ clientSecret, key, authMethod }: OwnCredentials): boolean {
  return authMethod !== 'none' && (clientSecret !== undefined || key !== undefined);
}
