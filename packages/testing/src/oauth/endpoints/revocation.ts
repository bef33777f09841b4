import type { TestAnswer } from '../answer.js';
import type { Authority } from '../authority.js';
import { authenticate } from '../clients/client-authentication.js';
import { formOf, needed } from '../form.js';
import { OauthProblem } from '../oauth-problem.js';
import type { RecordedRequest } from '../recorded-request.js';

/**
 * Revokes a token of the client that asks; one that is not known is no error.
 * https://www.rfc-editor.org/rfc/rfc7009#section-2
 */
export async function revocationAnswer(request: RecordedRequest, authority: Authority): Promise<TestAnswer> {
  const form = formOf(request);
  const sender = await authenticate(request, form, authority);
  if (sender === undefined)
    throw new OauthProblem('invalid_client', 'The request does not say which client it is of.', {
      status: 401,
    });
  const text = needed(form, 'token');
  const token = authority.tokens.find(text);
  if (token !== undefined && token.grant.clientId !== sender.client.clientId)
    throw new OauthProblem('invalid_grant', 'The token was issued to another client.');
  authority.tokens.revoke(text);
  return { status: 200 };
}
