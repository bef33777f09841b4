import type { Authority } from '../authority/authority.js';
import { authenticate } from '../grants/client-authentication.js';
import { OauthProblem, type TestAnswer } from '../http/answer.js';
import { formOf, needed } from '../http/form.js';
import type { RecordedRequest } from '../http/recorded-request.js';

/**
 * Returns the state of a token to a resource server, which must authenticate.
 * https://www.rfc-editor.org/rfc/rfc7662#section-2
 */
export async function introspectionAnswer(
  request: RecordedRequest,
  authority: Authority,
): Promise<TestAnswer> {
  const form = formOf(request);
  const sender = await authenticate(request, form, authority);
  if (sender === undefined || sender.method === 'none')
    throw new OauthProblem('invalid_client', 'Introspection needs client authentication.', { status: 401 });
  const token = authority.tokens.find(needed(form, 'token'));
  const headers = { 'cache-control': 'no-store' };
  if (token === undefined || !authority.tokens.isActive(token))
    return { status: 200, headers, body: { active: false } };
  const { claims, grant, kind } = token;
  const tokenType = claims.cnf === undefined ? 'Bearer' : 'DPoP';
  return {
    status: 200,
    headers,
    body: {
      active: true,
      ...claims,
      ...(kind === 'access' && { token_type: tokenType }),
      ...(grant.user !== undefined && { username: grant.user }),
    },
  };
}
