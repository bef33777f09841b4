import type { Authority } from '../authority/authority.js';
import { authenticate } from '../grants/client-authentication.js';
import { OauthProblem, type TestAnswer } from '../http/answer.js';
import { formOf, needed } from '../http/form.js';
import type { RecordedRequest } from '../http/recorded-request.js';

/**
 * Revokes a token of the client that sends the request; an unknown token is not an error.
 * https://www.rfc-editor.org/rfc/rfc7009#section-2
 */
export async function revocationAnswer(request: RecordedRequest, authority: Authority): Promise<TestAnswer> {
  const form = formOf(request);
  const sender = await authenticate(request, form, authority);
  if (sender === undefined)
    throw new OauthProblem('invalid_client', 'The request does not name its client.', {
      status: 401,
    });
  const text = needed(form, 'token');
  const token = authority.tokens.find(text);
  if (token !== undefined && token.grant.clientId !== sender.client.clientId)
    throw new OauthProblem('invalid_grant', 'The token was issued to another client.');
  authority.tokens.revoke(text);
  return { status: 200 };
}
