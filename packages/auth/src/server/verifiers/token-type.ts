import type { UnknownObject } from '@tenon/mcp-protocol';

/** The name of a type as it is compared. https://www.rfc-editor.org/rfc/rfc7515#section-4.1.9 */
export function typeName(typ: string): string {
  const name = typ.toLowerCase();
  return name.startsWith('application/') ? name.slice('application/'.length) : name;
}

/** Claims of ID tokens, logout tokens and security events: no access token has them. */
const foreignClaims = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events'];

/** What some authorization servers say of tokens that are none, in claims of their own; in lower case. */
const foreignUses: ReadonlyMap<string, readonly string[]> = new Map([
  ['token_use', ['id', 'id_token', 'refresh', 'refresh_token']],
  ['typ', ['id', 'serialized-id', 'refresh', 'offline', 'logout']],
]);

/**
 * What is wrong with the type of a token; undefined where it is an access token. Tokens of other kinds are signed with the same keys, and
 * one that says no more than `JWT` is told by what it holds.
 * @param types - those that are taken, by their {@link typeName}.
 * https://www.rfc-editor.org/rfc/rfc8725#section-3.11
 */
export function typeFlaw(
  typ: unknown,
  claims: UnknownObject,
  types: ReadonlySet<string>,
): string | undefined {
  const name = typ === undefined ? 'jwt' : typeof typ === 'string' && typeName(typ);
  if (name === false || !types.has(name)) return `The type of the token is not ${[...types].join(' or ')}.`;
  return name === 'jwt' && !mayBeAccessToken(claims) ? 'The token is no access token.' : undefined;
}

function mayBeAccessToken(claims: UnknownObject): boolean {
  return !foreignClaims.some((name) => Object.hasOwn(claims, name)) && !hasForeignUse(claims);
}

/** Whether the authorization server says that it is a token for something else, such as a refresh token. */
export function hasForeignUse(claims: UnknownObject): boolean {
  return [...foreignUses].some(([name, others]) => others.includes(String(claims[name]).toLowerCase()));
}
