import { withoutControls } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import { redactThoroughly } from '@tenon/redaction/thorough';
import { AuthError, type AuthErrorReason } from '../auth-error.js';
import type { OauthAnswer } from '../http/oauth-http.js';
import { formEncoded } from './form-encoding.js';

/** An answer that grants nothing, and what it must not make anybody repeat. */
export interface RefusedAnswer {
  readonly answer: Pick<OauthAnswer, 'status'>;
  /** Its body, parsed; undefined where that failed. */
  readonly body: unknown;
  readonly origin: string;
  /** What was sent that is secret. */
  readonly secrets: readonly string[];
}

/** Characters of a description that are told. */
const mostTold = 200;

/**
 * What a token endpoint's refusal means.
 * https://www.rfc-editor.org/rfc/rfc6749#section-5.2
 * @returns an AuthError whose text repeats nothing secret, even where the endpoint does.
 */
export function tokenError({ answer, body, origin, secrets }: RefusedAnswer): AuthError {
  const { status } = answer;
  const code = errorCode(body, secrets);
  if (code === undefined) {
    const what = status >= 300 && status < 400 ? 'a redirect, which is not followed' : 'what cannot be used';
    return new AuthError(
      'unreachable',
      `${origin} answered the request for a token with HTTP ${status} and ${what}.`,
      { answerStatus: status },
    );
  }
  const description = errorDescription(body, secrets);
  const told = description === undefined ? '' : `: ${description}`;
  const options = { answerStatus: status, oauthError: code };
  return new AuthError(
    reasonOf(code, status),
    `${origin} refused the request for a token with ${code}${told}`,
    options,
  );
}

/** The `error` of an answer; undefined where there is none that may be repeated. */
export function errorCode(body: unknown, secrets: readonly string[]): string | undefined {
  const code = isObject(body) ? body.error : undefined;
  if (typeof code !== 'string' || !/^[\w.:/-]{1,64}$/.test(code)) return undefined;
  return known.has(code) || !repeats(code, secrets) ? code : undefined;
}

const known: ReadonlyMap<string, AuthErrorReason> = new Map([
  ['access_denied', 'denied'],
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

function errorDescription(body: unknown, secrets: readonly string[]): string | undefined {
  const text = isObject(body) ? body.error_description : undefined;
  if (typeof text !== 'string') return undefined;
  const head = withoutControls(text.slice(0, 4_096)).replace(/\s+/g, ' ').trim();
  const cut = head.slice(0, mostTold);
  if (cut === '' || repeats(head, secrets)) return undefined;
  const isPiece = (word: string) => word.length >= 8 && secrets.some((secret) => secret.includes(word));
  // Of a secret that is cut, or told in part, a piece is left.
  return cut.split(/[^\w-]+/).some(isPiece) ? undefined : redactThoroughly(cut);
}

function repeats(text: string, secrets: readonly string[]): boolean {
  const forms = (secret: string) => [secret, encodeURIComponent(secret), formEncoded(secret)];
  return secrets.some((secret) => secret !== '' && forms(secret).some((form) => text.includes(form)));
}
