/** The redirect URI of clients. Nothing listens there. */
export const redirectUri = 'http://127.0.0.1:3000/callback';

/**
 * The way a client signs in.
 *
 * @typedef {BySelf | ByUser} SignIn
 *
 * @typedef {object} ByUser a user signs in with the browser of the application
 * @property {'user'} by
 * @property {string} [metadataUrl] the URL of the client's metadata document
 * @property {boolean} [dpop] true if tokens are bound to a key
 *
 * @typedef {object} BySelf a program signs in that was registered manually
 * @property {'secret' | 'key'} by
 * @property {string} issuer
 * @property {string} clientId
 * @property {string} [clientSecret]
 * @property {import('node:crypto').webcrypto.JsonWebKey} [key] private, for ES256
 */

/**
 * Registers a program with the authorization server that a server names.
 *
 * @param {string} url of the server
 * @param {'secret' | 'key'} by
 * @returns {Promise<BySelf>}
 */
export async function registerProgram(url, by) {
  const challenge = (await fetch(url)).headers.get('www-authenticate') ?? '';
  const [, address = ''] = /resource_metadata="([^"]*)"/.exec(challenge) ?? [];
  const [issuer] = (await document(address)).authorization_servers;
  const server = await document(`${issuer}/.well-known/oauth-authorization-server`);
  const { shown, kept } = by === 'secret' ? bySecret : await byKey();
  const response = await fetch(server.registration_endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'a pipeline',
      grant_types: ['client_credentials'],
      response_types: [],
      ...shown,
    }),
  });
  const { client_id: clientId, client_secret: clientSecret } = /** @type {any} */ (await response.json());
  return { by, issuer, clientId, ...(clientSecret !== undefined && { clientSecret }), ...kept };
}

const bySecret = { shown: { token_endpoint_auth_method: 'client_secret_basic' }, kept: {} };

/** A new key: the metadata to register, and the private key. */
async function byKey() {
  const curve = { name: 'ECDSA', namedCurve: 'P-256' };
  const { publicKey, privateKey } = await crypto.subtle.generateKey(curve, true, ['sign', 'verify']);
  const keys = [await crypto.subtle.exportKey('jwk', publicKey)];
  return {
    shown: { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys } },
    kept: { key: await crypto.subtle.exportKey('jwk', privateKey) },
  };
}

/**
 * @param {string} url
 * @returns {Promise<any>}
 */
async function document(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.json();
}
