import type { Authority } from '../authority.js';
import type { TestAnswer } from '../http/answer.js';
import { formOf } from '../http/form.js';
import type { RecordedRequest } from '../http/recorded-request.js';
import { decided } from './decision.js';
import { page } from './page.js';

/** Handles the choice of the user on a consent page. Each page can be used once. */
export async function consentAnswer(request: RecordedRequest, authority: Authority): Promise<TestAnswer> {
  const form = formOf(request);
  const id = form.get('request') ?? '';
  const pending = authority.consents.get(id);
  authority.consents.delete(id);
  if (pending === undefined || pending.expiresAt <= authority.now())
    return page('This page counts no more', '<p>Go back to the program and sign in again.</p>', 400);
  return decided(pending, form.get('decision') === 'allow' ? 'allow' : 'deny', authority);
}
