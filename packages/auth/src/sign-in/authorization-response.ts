import { AuthError } from '../auth-error.js';
import { oauthCode } from '../http/document-text.js';
import { isSameSecret } from '../oauth/secrets.js';
import { textWithout } from '../oauth/token-error.js';

/** Values of the authorization request that its response must match. */
export interface ExpectedResponse {
  readonly state: string;
  readonly issuer: string;
  /** True if the metadata of the authorization server announces `iss` in its responses. */
  readonly issInResponse: boolean;
}

/** Parameters of a response; none of them may occur more than once. */
const members = ['state', 'iss', 'code', 'error', 'error_description', 'error_uri'];

/** Characters of a code, at most. */
const longestCode = 8_192;

/**
 * Returns the code of an authorization response. Checks `state` and `iss` first; until then, nothing else is read, not even
 * errors.
 * https://www.rfc-editor.org/rfc/rfc9207#section-2.4
 * @param response - the whole URL that the user was redirected to.
 * @throws AuthError `bad-response`; `denied` if the response is an error.
 */
export function readAuthorizationResponse(response: URL, expected: ExpectedResponse): string {
  const params = response.searchParams;
  if (members.some((name) => params.getAll(name).length > 1)) {
    throw refusal('contains a parameter more than once');
  }
  const state = params.get('state');
  if (state === null || !isSameSecret(state, expected.state)) {
    throw refusal('does not belong to the current sign-in (its state is another)');
  }
  requireIssuer(params.get('iss'), expected);
  const error = params.get('error');
  const code = params.get('code');
  if (error !== null) throw denial(error, params.get('error_description') ?? undefined, [state, code ?? '']);
  if (code === null || code === '') throw refusal('has neither a code nor an error');
  if (code.length > longestCode) throw refusal(`has a code of more than ${longestCode} characters`);
  return code;
}

// Compared as text: an issuer that differs in a slash or in case is another one.
function requireIssuer(iss: string | null, { issuer, issInResponse }: ExpectedResponse): void {
  if (iss === null) {
    if (issInResponse) throw refusal('has no iss parameter, although the authorization server announces one');
    return;
  }
  if (iss !== issuer) throw refusal('is from another authorization server (iss)');
}

function denial(error: string, description: string | undefined, secrets: readonly string[]): AuthError {
  const repeats = secrets.some(
    (secret) => secret !== '' && (secret.includes(error) || error.includes(secret)),
  );
  const code = repeats ? undefined : oauthCode(error);
  const reason = textWithout(secrets, description);
  const what =
    code === 'access_denied'
      ? 'The user or the authorization server denied access'
      : `The authorization server refused the sign-in${code === undefined ? '' : ` with ${code}`}`;
  return new AuthError('denied', `${what}${reason === undefined ? '.' : `: ${reason}`}`, {
    ...(code !== undefined && { oauthError: code }),
  });
}

function refusal(what: string): AuthError {
  return new AuthError(
    'bad-response',
    `The response to the sign-in ${what}. It was ignored; start the sign-in again.`,
  );
}
