import type { TestAnswer } from '../answer.js';
import type { Authority } from '../authority.js';
import { authenticate } from '../clients/client-authentication.js';
import { formOf, needed } from '../form.js';
import { OauthProblem } from '../oauth-problem.js';
import type { RecordedRequest } from '../recorded-request.js';

/**
 * Tells a resource server, which has to authenticate, what a token is worth.
 * https://www.rfc-editor.org/rfc/rfc7662#section-2
 */
export async function introspectionAnswer(
  request: RecordedRequest,
  authority: Authority,
): Promise<TestAnswer> {
  const form = formOf(request);
  const sender = await authenticate(request, form, authority);
  if (sender === undefined || sender.method === 'none')
    throw new OauthProblem('invalid_client', 'Whoever introspects has to authenticate.', { status: 401 });
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
