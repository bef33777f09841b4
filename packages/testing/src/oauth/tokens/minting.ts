import type { JsonObject, JsonValue } from '@tenon/mcp-protocol';
import { type Authority, randomText } from '../authority/authority.js';
import type { TokenToIssue } from '../options/token-to-issue.js';
import { signedJwt } from './jws.js';
import { audienceOf, claimsFor, headerFor } from './token-claims.js';

/** Issues a token for a test. Only tokens with a valid signature are stored, so only those can be introspected. */
export async function mintToken(token: TokenToIssue, authority: Authority): Promise<string> {
  const { kind = 'access', subject = 'user', clientId = 'client', scopes = [], signature = 'right' } = token;
  const isOpaque = kind === 'access' && (token.format ?? authority.settings.accessTokens) === 'opaque';
  const claims = changed(
    claimsFor(
      { kind, clientId, grantType: 'minted' },
      {
        subject,
        clientId,
        audience: token.audience ?? (kind === 'id' ? clientId : audienceOf([], authority)),
        scopes,
        lifetime: token.lifetime,
      },
      authority,
    ),
    token.claims,
  );
  const header = changed(headerFor(kind, authority), token.header);
  const text = isOpaque
    ? randomText()
    : await signedJwt({ header, claims }, authority.keys.current, signature);
  if (kind === 'access' && signature === 'right') {
    const grant = { type: 'minted', clientId, user: subject, scopes, resources: [], revoked: false };
    authority.tokens.add(text, { kind, grant, claims });
  }
  return text;
}

function changed(
  whole: JsonObject,
  changes: Readonly<Record<string, JsonValue | undefined>> = {},
): JsonObject {
  const entries = Object.entries({ ...whole, ...changes });
  return Object.fromEntries(entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}
