import { clientCredentials, oauth } from '@tenon/mcp-auth/client';
import { redirectUri } from './sign-in.js';

/**
 * Returns the `auth` option of our client.
 *
 * @param {import('./sign-in.js').SignIn} signIn
 * @param {import('./browser.js').Browser} browser
 */
export function tenonAuth(signIn, browser) {
  if (signIn.by === 'user') {
    const { metadataUrl } = signIn;
    return oauth({
      client: { name: 'interop', ...(metadataUrl !== undefined && { metadataUrl }) },
      interaction: interactionOf(browser),
    });
  }
  const { issuer, clientId, clientSecret, key } = signIn;
  return clientCredentials({ issuer, clientId, clientSecret, ...(key && { key: { key, alg: 'ES256' } }) });
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
