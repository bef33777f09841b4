import { randomUUID } from 'node:crypto';
import {
  AccessDeniedError,
  InvalidGrantError,
  InvalidTokenError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { scopes as known } from './authority.js';

/** @typedef {import('@modelcontextprotocol/sdk/server/auth/provider.js').OAuthServerProvider} OAuthServerProvider */

/**
 * The user and scopes of a token.
 *
 * @typedef {{ clientId: string, user: string, scopes: string[], resource: URL | undefined }} Grant
 */

/** Lifetime of a token in seconds. */
const lifetime = 3_600;

/**
 * An authorization server in memory, like applications on the first generation of the official SDK implement it.
 *
 * @implements {OAuthServerProvider}
 */
export class MemoryOAuthProvider {
  /** @type {Map<string, any>} */
  #clients = new Map();
  /** @type {Map<string, Grant & { challenge: string }>} */
  #codes = new Map();
  /** @type {Map<string, Grant>} by access token */
  #grants = new Map();
  /** @type {Map<string, Grant>} by refresh token */
  #lasting = new Map();
  asked = { codes: 0, refreshes: 0, programs: 0 };

  clientsStore = {
    getClient: (/** @type {string} */ id) => this.#clients.get(id),
    registerClient: (/** @type {any} */ client) => {
      this.#clients.set(client.client_id, client);
      return client;
    },
  };

  /** @type {OAuthServerProvider['authorize']} */
  async authorize(client, { state, scopes = [], codeChallenge: challenge, redirectUri, resource }, response) {
    const user = String(response.req.query.login_hint);
    const back = new URL(redirectUri);
    if (state !== undefined) back.searchParams.set('state', state);
    if (user === 'deny') {
      back.searchParams.set('error', new AccessDeniedError('').errorCode);
    } else {
      const code = randomUUID();
      const granted = scopes.filter((scope) => scope !== known.rule);
      this.#codes.set(code, { clientId: client.client_id, user, scopes: granted, resource, challenge });
      back.searchParams.set('code', code);
    }
    response.redirect(back.href);
  }

  /** @type {OAuthServerProvider['challengeForAuthorizationCode']} */
  async challengeForAuthorizationCode(_client, code) {
    return this.#codes.get(code)?.challenge ?? '';
  }

  /** @type {OAuthServerProvider['exchangeAuthorizationCode']} */
  async exchangeAuthorizationCode(client, code) {
    this.asked.codes++;
    return this.#tokens(taken(this.#codes, code, client));
  }

  /** @type {OAuthServerProvider['exchangeRefreshToken']} */
  async exchangeRefreshToken(client, token) {
    this.asked.refreshes++;
    return this.#tokens(taken(this.#lasting, token, client));
  }

  /** @type {OAuthServerProvider['verifyAccessToken']} */
  async verifyAccessToken(token) {
    const grant = this.#grants.get(token);
    if (grant === undefined) throw new InvalidTokenError('The token is not valid');
    const { clientId, scopes, user } = grant;
    return { token, clientId, scopes, expiresAt: Math.floor(Date.now() / 1_000) + lifetime, extra: { user } };
  }

  /** @param {string} token an access token to reject from now on */
  refuse(token) {
    this.#grants.delete(token);
  }

  /** @param {Grant} grant */
  #tokens(grant) {
    const [access, refresh] = [randomUUID(), randomUUID()];
    this.#grants.set(access, grant);
    this.#lasting.set(refresh, grant);
    return {
      access_token: access,
      token_type: 'bearer',
      expires_in: lifetime,
      scope: grant.scopes.join(' '),
      refresh_token: refresh,
    };
  }
}

/**
 * Removes and returns a code or refresh token: each can be used once, by one client.
 *
 * @template {Grant} Kept
 * @param {Map<string, Kept>} kept
 * @param {string} key
 * @param {{ client_id: string }} client
 */
function taken(kept, key, client) {
  const grant = kept.get(key);
  kept.delete(key);
  if (grant === undefined || grant.clientId !== client.client_id)
    throw new InvalidGrantError('It is not known');
  return grant;
}
