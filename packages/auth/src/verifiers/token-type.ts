import type { UnknownObject } from '@tenon/mcp-protocol';

/** Returns the name of a type for comparison. https://www.rfc-editor.org/rfc/rfc7515#section-4.1.9 */
export function typeName(typ: string): string {
  const name = typ.toLowerCase();
  return name.startsWith('application/') ? name.slice('application/'.length) : name;
}

/** Claims of ID tokens, logout tokens and security events; access tokens do not have them. */
const foreignClaims = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events'];

/** Claims of some authorization servers that mark tokens of other types, with their values in lower case. */
const foreignUses: ReadonlyMap<string, readonly string[]> = new Map([
  ['token_use', ['id', 'id_token', 'refresh', 'refresh_token']],
  ['typ', ['id', 'serialized-id', 'refresh', 'offline', 'logout']],
]);

/**
 * Checks the type of a token. Returns the reason for a rejection; undefined if it is an access token. Tokens of other types are
 * signed with the same keys; a token with the type `JWT` or without one is recognized by its claims.
 * @param types - accepted types, by their {@link typeName}.
 * https://www.rfc-editor.org/rfc/rfc8725#section-3.11
 */
export function typeProblem(
  typ: unknown,
  claims: UnknownObject,
  types: ReadonlySet<string>,
): string | undefined {
  const name = typ === undefined ? 'jwt' : typeof typ === 'string' && typeName(typ);
  if (name === false || !types.has(name)) return `The type of the token is not ${[...types].join(' or ')}.`;
  return name === 'jwt' && !mayBeAccessToken(claims) ? 'The token is not an access token.' : undefined;
}

function mayBeAccessToken(claims: UnknownObject): boolean {
  return !foreignClaims.some((name) => Object.hasOwn(claims, name)) && !hasForeignUse(claims);
}

/** True if the claims mark a token of another type, such as a refresh token. */
export function hasForeignUse(claims: UnknownObject): boolean {
  return [...foreignUses].some(([name, others]) => others.includes(String(claims[name]).toLowerCase()));
}
