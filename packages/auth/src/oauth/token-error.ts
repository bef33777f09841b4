import { withoutControls } from '@tenon/foundation';
import { redactThoroughly } from '@tenon/foundation/redaction/thorough';
import { isObject } from '@tenon/mcp-protocol/internal';
import { AuthError, type AuthErrorReason } from '../auth-error.js';
import { errorText, oauthCode } from '../http/document-text.js';
import type { OauthResponse } from '../http/oauth-http.js';
import { formEncoded } from './client-authentication.js';

/** A response that grants no token, and the secrets that must not appear in its error. */
export interface RefusedAnswer {
  readonly answer: Pick<OauthResponse, 'status' | 'text'>;
  /** The parsed body; undefined if it is not JSON. */
  readonly body: unknown;
  readonly origin: string;
  /** Secrets of the request. */
  readonly secrets: readonly string[];
  /** The request in errors. Default: `token request`. */
  readonly label?: string | undefined;
}

/** Characters of a description in a message. */
const mostShown = 200;

/**
 * Returns the error for a refusal by a token endpoint.
 * https://www.rfc-editor.org/rfc/rfc6749#section-5.2
 * @returns an AuthError without secrets, even if the endpoint quotes them.
 */
export function tokenError({
  answer,
  body,
  origin,
  secrets,
  label = 'token request',
}: RefusedAnswer): AuthError {
  const { status, text } = answer;
  const code = errorCode(body, secrets);
  const description = textWithout(secrets, errorText(body, text));
  const detail = description === undefined || description === code ? '' : `: ${description}`;
  if (code === undefined) {
    const what = status >= 300 && status < 400 ? 'a redirect, which is not followed' : 'an unusable body';
    return new AuthError(
      'unreachable',
      `${origin} answered the ${label} with HTTP ${status} and ${what}${detail === '' ? '.' : detail}`,
      { answerStatus: status },
    );
  }
  const options = { answerStatus: status, oauthError: code };
  return new AuthError(
    reasonOf(code, status),
    `${origin} refused the ${label} with ${code}${detail}`,
    options,
  );
}

/** Returns the `error` of a response; undefined if there is none, or if it contains a secret. */
export function errorCode(body: unknown, secrets: readonly string[]): string | undefined {
  const code = isObject(body) ? oauthCode(body.error) : undefined;
  return code === undefined || known.has(code) || !repeats(code, secrets) ? code : undefined;
}

const known: ReadonlyMap<string, AuthErrorReason> = new Map([
  ['access_denied', 'denied'],
  ['authorization_pending', 'denied'],
  ['expired_token', 'denied'],
  ['invalid_client', 'denied'],
  ['invalid_dpop_proof', 'denied'],
  ['invalid_grant', 'denied'],
  ['invalid_request', 'denied'],
  ['invalid_scope', 'denied'],
  ['invalid_target', 'denied'],
  ['server_error', 'unreachable'],
  ['slow_down', 'unreachable'],
  ['temporarily_unavailable', 'unreachable'],
  ['unauthorized_client', 'denied'],
  ['unsupported_grant_type', 'unsupported'],
  ['unsupported_token_type', 'unsupported'],
  ['use_dpop_nonce', 'refused'],
]);

function reasonOf(code: string, status: number): AuthErrorReason {
  return known.get(code) ?? (status >= 500 || status === 429 ? 'unreachable' : 'denied');
}

/** Returns a text of a server as one short line for messages; undefined if it contains a secret, or a part of one. */
export function textWithout(secrets: readonly string[], text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const head = withoutControls(text.slice(0, 4_096)).replace(/\s+/g, ' ').trim();
  const cut = head.slice(0, mostShown);
  if (cut === '' || repeats(head, secrets)) return undefined;
  const isPiece = (word: string) => word.length >= 8 && secrets.some((secret) => secret.includes(word));
  // A truncated or partly quoted secret leaves a part of it.
  return cut.split(/[^\w-]+/).some(isPiece) ? undefined : redactThoroughly(cut);
}

function repeats(text: string, secrets: readonly string[]): boolean {
  const forms = (secret: string) => [secret, encodeURIComponent(secret), formEncoded(secret)];
  return secrets.some((secret) => secret !== '' && forms(secret).some((form) => text.includes(form)));
}
