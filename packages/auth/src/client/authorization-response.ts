import { AuthError } from '../auth-error.js';
import { isSameSecret } from './digest.js';

/** What was written down when the user was sent away. */
export interface ExpectedResponse {
  readonly state: string;
  readonly issuer: string;
  /** The authorization server says that its responses carry `iss`. */
  readonly issInResponse: boolean;
}

/** Members of a response; each of them may be there once. */
const members = ['state', 'iss', 'code', 'error', 'error_description', 'error_uri'];

/** Characters of a code. */
const longestCode = 8_192;

/**
 * The code of an authorization response, after it is certain that it answers what was asked, and comes from the one who
 * was asked. Until then nothing of it is looked at, errors included.
 * https://www.rfc-editor.org/rfc/rfc9207#section-2.4
 * @param response - the whole address that the user was sent back to.
 * @throws AuthError `bad-response`; `denied` where the authorization server says no.
 */
export function readAuthorizationResponse(response: URL, expected: ExpectedResponse): string {
  const params = response.searchParams;
  if (members.some((name) => params.getAll(name).length > 1)) {
    throw refusal('names one of its members twice');
  }
  const state = params.get('state');
  if (state === null || !isSameSecret(state, expected.state)) {
    throw refusal('does not belong to the sign-in that is under way (its state is another)');
  }
  requireIssuer(params.get('iss'), expected);
  const error = params.get('error');
  const code = params.get('code');
  if (error !== null) throw denial(error, [state, code ?? '']);
  if (code === null || code === '') throw refusal('has neither a code nor an error');
  if (code.length > longestCode) throw refusal(`has a code of more than ${longestCode} characters`);
  return code;
}

// Character by character: an issuer that differs in a slash or in case is another one.
function requireIssuer(iss: string | null, { issuer, issInResponse }: ExpectedResponse): void {
  if (iss === null) {
    if (issInResponse) throw refusal('does not say who it is from (iss), though the server says it would');
    return;
  }
  if (iss !== issuer) throw refusal('is from another authorization server than the one that was asked (iss)');
}

function denial(error: string, secrets: readonly string[]): AuthError {
  const repeats = secrets.some(
    (secret) => secret !== '' && (secret.includes(error) || error.includes(secret)),
  );
  const code = !repeats && /^[\w.:/-]{1,64}$/.test(error) ? error : undefined;
  return new AuthError(
    'denied',
    code === 'access_denied'
      ? 'Access was denied: the user, or the authorization server, said no.'
      : `The authorization server refused the sign-in${code === undefined ? '.' : ` with ${code}.`}`,
    { ...(code !== undefined && { oauthError: code }) },
  );
}

function refusal(what: string): AuthError {
  return new AuthError(
    'bad-response',
    `The response to the sign-in ${what}. It was not used; start the sign-in again.`,
  );
}
