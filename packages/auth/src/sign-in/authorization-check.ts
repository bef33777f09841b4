import { jsonIn } from '@tenon/foundation';
import { AuthError } from '../auth-error.js';
import { displayText, errorText } from '../http/document-text.js';
import type { OauthHttp, OauthResponse } from '../http/oauth-http.js';
import { errorCode } from '../oauth/token-error.js';

/**
 * Checks that an authorization server still knows a client, before the user is sent there. Without the check, the user would see
 * an error page, from which the browser never returns.
 * @param url - an authorization request; nothing waits for its response.
 * @throws AuthError `denied` with `oauthError` `invalid_client` if the authorization server does not know the client or its
 * redirect URI. No other answer proves that, and failures are ignored.
 * https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1
 */
export async function requireKnownClient(
  url: URL,
  { http, signal }: { readonly http: OauthHttp; readonly signal: AbortSignal | undefined },
): Promise<void> {
  let answer: OauthResponse;
  try {
    const headers = { accept: 'text/html,application/json;q=0.9' };
    answer = await http.send({ method: 'GET', url, headers, redirects: false, signal });
  } catch {
    signal?.throwIfAborted();
    return;
  }
  const body = jsonIn(answer.text);
  if (!isUnknown(answer, errorCode(body, []))) return;
  const reason = displayText(errorText(body));
  const detail = reason === undefined ? '' : `: ${reason}`;
  throw new AuthError('denied', `${url.origin} does not know the client or its redirect URI${detail}`, {
    answerStatus: answer.status,
    oauthError: 'invalid_client',
  });
}

const ofClient: ReadonlySet<unknown> = new Set(['invalid_client', 'unauthorized_client']);

function isUnknown({ status, header }: OauthResponse, code: string | undefined): boolean {
  const location = header('location');
  if (status >= 300 && status < 400) return ofClient.has(errorIn(location));
  // All other errors are sent to the redirect URI.
  return ofClient.has(code) || (status === 400 && (code === undefined || code === 'invalid_request'));
}

function errorIn(location = ''): string | null {
  const query = location.slice(location.indexOf('?') + 1).split('#', 1)[0];
  return new URLSearchParams(query).get('error');
}
