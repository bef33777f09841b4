import { type OptionRule, optionRules } from '@tenon/mcp-session/internal';
import { requireClientKey } from './client-assertion.js';
import type { ClientAuthMethod, ClientInformation, ClientKey } from './client-information.js';
import { requireIssuer } from './issuer-pin.js';

/** A client that was registered by hand, and how it proves who it is. */
export interface OwnCredentials {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  /** The key whose public part the authorization server has; safer than a secret, because it never leaves the program. */
  readonly key?: ClientKey | undefined;
  /** How it is to authenticate; by default the safest way that the authorization server takes too. */
  readonly authMethod?: ClientAuthMethod | undefined;
}

const methods: ReadonlySet<unknown> = new Set<ClientAuthMethod>([
  'none',
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
]);

/** Rules of these options and of `issuer`, for those who take them. */
export const credentialRules: Readonly<Record<keyof OwnCredentials | 'issuer', OptionRule>> = {
  clientId: optionRules.text,
  clientSecret: optionRules.text,
  key: optionRules.object,
  authMethod: { is: `one of ${[...methods].join(', ')}`, allows: (value) => methods.has(value) },
  issuer: optionRules.text,
};

/**
 * Refuses credentials that can never prove anything.
 * @param owner - what is given them, as the message names it.
 * @throws TypeError that says what to give instead, and nothing of what was given.
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
    throw new TypeError(`${owner}: private_key_jwt takes a key.`);
  }
  if (authMethod?.startsWith('client_secret') === true && clientSecret === undefined) {
    throw new TypeError(`${owner}: ${authMethod} takes a clientSecret.`);
  }
}

/** The client as authorization servers are told of it. */
export function ownClient({ clientId, clientSecret, key, authMethod }: OwnCredentials): ClientInformation {
  return { clientId, clientSecret, key, authMethod };
}

/** True for a client that can prove who it is. */
export function canProve({ clientSecret, key, authMethod }: OwnCredentials): boolean {
  return authMethod !== 'none' && (clientSecret !== undefined || key !== undefined);
}
