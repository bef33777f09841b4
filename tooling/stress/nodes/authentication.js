import { dpopCheck, ResourceGuard } from '@tenon/mcp-auth/server';

/** @typedef {import('@tenon/mcp-server/http').GuardedRequest} GuardedRequest */

/**
 * Returns a function that authenticates callers: by the name in a bearer token, or by a token that is bound to a key.
 *
 * @param {{ url: string, state: import('@tenon/mcp-state').State }} node the URL of the proxy, and the state of all nodes
 * @returns {NonNullable<import('@tenon/mcp-server/http').ServeHttpOptions['authenticate']>}
 */
export function authentication({ url, state }) {
  const guard = new ResourceGuard({
    resource: url,
    authorizationServers: ['https://issuer.example'],
    // `name.thumbprint of the key`
    verify: (token) => {
      const [id = '', boundKey = ''] = token.split('.');
      return { id, boundKey };
    },
    dpop: dpopCheck({ state }),
    dpopRequired: true,
  });
  return (request) => {
    const authorization = request.header('authorization') ?? '';
    // Without a nonce, the guard returns no headers beside the principal.
    if (authorization.startsWith('DPoP ')) return /** @type {any} */ (guard.admit(request));
    const [, id] = /^Bearer (.+)$/.exec(authorization) ?? [];
    return id === undefined ? undefined : { id };
  };
}
