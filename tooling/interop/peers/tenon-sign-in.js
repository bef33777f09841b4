import { clientCredentials, oauth } from '@tenon/mcp-auth/client';
import { officialAuth } from '@tenon/mcp-auth/official';
import { redirectUri } from './sign-in.js';

/**
 * Returns the `auth` option of our client.
 *
 * @param {import('./sign-in.js').SignIn} signIn
 * @param {import('./browser.js').Browser} browser
 */
export function tenonAuth(signIn, browser) {
  if (signIn.by === 'user') {
    const { metadataUrl, dpop } = signIn;
    return oauth({
      ...(dpop !== undefined && { dpop }),
      client: { name: 'interop', ...(metadataUrl !== undefined && { metadataUrl }) },
      interaction: interactionOf(browser),
    });
  }
  const { issuer, clientId, clientSecret, key } = signIn;
  return clientCredentials({ issuer, clientId, clientSecret, ...(key && { key: { key, alg: 'ES256' } }) });
}

/**
 * Returns the options of a transport of an official client that signs in by a provider of ours.
 *
 * @param {import('./sign-in.js').SignIn} signIn
 * @param {{ url: string, by: import('../run/columns.js').SignInBy, browser: import('./browser.js').Browser }} options
 * @returns {{ fetch?: typeof fetch, authProvider?: any }}
 */
export function officialOptions(signIn, { url, by, browser }) {
  const auth = officialAuth(tenonAuth(signIn, browser), url);
  return by === 'fetch' ? { fetch: auth.fetch } : { authProvider: auth[by] };
}

/**
 * Wraps each call like an application of the first generation does: it repeats a call once its token was replaced.
 *
 * @template Value
 * @param {() => Promise<Value>} act
 * @returns {Promise<Value>}
 */
export async function again(act) {
  try {
    return await act();
  } catch (error) {
    if (/send the request again/.test(String(error))) return act();
    throw error;
  }
}

/**
 * @param {import('./browser.js').Browser} browser
 * @returns {import('@tenon/mcp-auth/client').Interaction}
 */
function interactionOf(browser) {
  return {
    redirectUris: [redirectUri],
    applicationType: 'native',
    begin: () => ({ redirectUri, authorize: ({ url }) => browser.visit(url), end() {} }),
  };
}
