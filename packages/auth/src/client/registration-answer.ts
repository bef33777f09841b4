import type { UnknownObject } from '@tenon/mcp-protocol';
import { isObject, isUrl } from '@tenon/mcp-protocol/internal';
import { AuthError } from '../auth-error.js';
import { textOf, textsOf } from '../http/document-members.js';
import type { OauthAnswer } from '../http/oauth-http.js';
import { toldText } from '../http/told-text.js';
import type { ClientAuthMethod, ClientInformation } from './client-information.js';
import type { ClientUse } from './registration-metadata.js';
import { errorCode } from './token-error.js';

/** Who answered, and what he was asked. */
export interface RegistrationAsked extends ClientUse {
  readonly issuer: string;
}

/**
 * The client as a registration endpoint answered.
 * https://www.rfc-editor.org/rfc/rfc7591#section-3.2
 * @throws AuthError `not-registered` with the server's own error, or where what was registered is of no use; `unsupported` for a
 * way to authenticate that clients of this kind do not have; `unreachable`.
 */
export function readRegistration(answer: OauthAnswer, asked: RegistrationAsked): ClientInformation {
  const { status } = answer;
  const body = parsed(answer.text);
  if (status !== 201 && status !== 200) throw refusalOf(status, body, asked.issuer);
  const clientId = isObject(body) ? credential(body, 'client_id') : undefined;
  if (!isObject(body) || clientId === undefined) {
    throw new AuthError('unreachable', `${asked.issuer} answered the registration without a client id.`, {
      answerStatus: status,
    });
  }
  requireRedirects(textsOf(body, 'redirect_uris'), asked);
  const clientSecret = credential(body, 'client_secret');
  const authMethod = methodOf(body, asked, clientSecret);
  if (authMethod === 'none' || clientSecret === undefined) return { clientId, authMethod };
  return { clientId, authMethod, clientSecret, secretExpiresAt: expiryOf(body) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const longest = 4_096;

/** Visible ASCII and spaces, as RFC 6749 has it in its appendix A. */
function credential(body: UnknownObject, name: string): string | undefined {
  const text = textOf(body, name);
  return text !== undefined && text.length <= longest && /^[\x20-\x7e]+$/.test(text) ? text : undefined;
}

function refusalOf(status: number, body: unknown, issuer: string): AuthError {
  const code = errorCode(body, []);
  const description = isObject(body) ? toldText(body.error_description) : undefined;
  const said = [code, description].filter((text) => text !== undefined).join(': ');
  const told = said === '' ? `status ${status}` : said;
  if (status >= 500 || status === 408 || status === 429) {
    return new AuthError('unreachable', `${issuer} could not register the client: ${told}.`, {
      answerStatus: status,
    });
  }
  const message = `${issuer} refused to register the client: ${told}. Register it there by hand, or change what it says of itself.`;
  return new AuthError('not-registered', message, {
    answerStatus: status,
    ...(code !== undefined && { oauthError: code }),
  });
}

/** A server may register something else than it was asked to; then users could not come back. */
function requireRedirects(
  registered: readonly string[] | undefined,
  { issuer, redirectUris }: RegistrationAsked,
): void {
  if (registered === undefined || registered.length === 0) return;
  const there = new Set(registered.map(asRead));
  const missing = redirectUris.find((uri) => !there.has(asRead(uri)));
  if (missing === undefined) return;
  throw new AuthError(
    'not-registered',
    `${issuer} registered the client without its redirect URI ${missing}: register it there by hand.`,
  );
}

function asRead(uri: string): string {
  return isUrl(uri) ? new URL(uri).href : uri;
}

const known: ReadonlySet<string> = new Set<ClientAuthMethod>([
  'none',
  'client_secret_basic',
  'client_secret_post',
]);

/** As the server says; where it says nothing but gives a secret nobody asked for, by what it takes at its token endpoint. */
function methodOf(
  body: UnknownObject,
  { issuer, authMethod }: RegistrationAsked,
  secret: string | undefined,
): ClientAuthMethod | undefined {
  const told = textOf(body, 'token_endpoint_auth_method');
  if (told === undefined && authMethod === 'none' && secret !== undefined) return undefined;
  const method = told ?? authMethod;
  if (!isKnown(method)) {
    throw new AuthError(
      'unsupported',
      `${issuer} registered the client for ${toldText(method)}, which it does not have.`,
    );
  }
  if (method === 'none' || secret !== undefined) return method;
  throw new AuthError(
    'not-registered',
    `${issuer} registered the client for ${method}, and gave it no secret.`,
  );
}

function isKnown(method: string): method is ClientAuthMethod {
  return known.has(method);
}

/** Seconds since 1970 become milliseconds; 0 is never. */
function expiryOf({ client_secret_expires_at: at }: UnknownObject): number | undefined {
  return typeof at === 'number' && Number.isFinite(at) && at > 0 ? at * 1_000 : undefined;
}
