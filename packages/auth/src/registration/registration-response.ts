import { jsonIn } from '@tenon/foundation';
import type { UnknownObject } from '@tenon/mcp-protocol';
import { isObject, isUrl } from '@tenon/mcp-protocol/internal';
import { AuthError } from '../auth-error.js';
import { asciiTextOf, displayText, errorText, textOf, textsOf } from '../http/document-text.js';
import { isTemporary } from '../http/json-document.js';
import type { OauthResponse } from '../http/oauth-http.js';
import type { ClientAuthMethod, ClientInformation } from '../oauth/client-information.js';
import { errorCode } from '../oauth/token-error.js';
import { type ClientUse, isRegistrable } from './registration-metadata.js';

/** The registration that a response belongs to. */
export interface RegistrationContext extends ClientUse {
  readonly issuer: string;
  /** True if users can return to a redirect URI. Undefined: each of the requested URIs must be registered. */
  readonly accepts?: ((redirectUri: string) => boolean) | undefined;
}

/**
 * Reads the response of a registration endpoint.
 * https://www.rfc-editor.org/rfc/rfc7591#section-3.2
 * @throws AuthError `not-registered` with the error of the server, or if the registered client is unusable; `unsupported` for
 * an authentication method that Tenon does not support here; `unreachable`.
 */
export function readRegistration(answer: OauthResponse, asked: RegistrationContext): ClientInformation {
  const { status } = answer;
  const body = jsonIn(answer.text);
  if (status !== 201 && status !== 200) throw refusalOf(answer, body, asked.issuer);
  const clientId = isObject(body) ? credential(body, 'client_id') : undefined;
  if (!isObject(body) || clientId === undefined) {
    throw new AuthError('unreachable', `${asked.issuer} answered the registration without a client id.`, {
      answerStatus: status,
    });
  }
  const redirectUris = redirectsOf(textsOf(body, 'redirect_uris'), asked);
  const clientSecret = credential(body, 'client_secret');
  const authMethod = methodOf(body, asked, clientSecret);
  if (authMethod === 'none' || clientSecret === undefined) return { clientId, authMethod, redirectUris };
  return { clientId, authMethod, clientSecret, secretExpiresAt: expiryOf(body), redirectUris };
}

const longest = 4_096;

/** Returns a credential, as RFC 6749 defines it in appendix A. */
function credential(body: UnknownObject, name: string): string | undefined {
  return asciiTextOf(body, name, longest);
}

function refusalOf({ status, text: sent }: OauthResponse, body: unknown, issuer: string): AuthError {
  const code = errorCode(body, []);
  const description = displayText(errorText(body, sent));
  const texts = new Set([code, description].filter((one) => one !== undefined));
  const text = [...texts].join(': ');
  const detail = text === '' ? `status ${status}` : text;
  if (isTemporary(status)) {
    return new AuthError('unreachable', `${issuer} could not register the client: ${detail}.`, {
      answerStatus: status,
    });
  }
  const message = `${issuer} refused to register the client: ${detail}. Register it there by hand, or change its metadata.`;
  return new AuthError('not-registered', message, {
    answerStatus: status,
    ...(code !== undefined && { oauthError: code }),
  });
}

/**
 * Returns the redirect URIs of a registration that users can return to; undefined if they are the requested ones. A server may register others than requested.
 * https://www.rfc-editor.org/rfc/rfc7591#section-3.2.1
 * @throws AuthError `not-registered` if users could not return to the client.
 */
function redirectsOf(
  registered: readonly string[] | undefined,
  { issuer, redirectUris, accepts }: RegistrationContext,
): readonly string[] | undefined {
  const there = registered === undefined || registered.length === 0 ? redirectUris : registered;
  const usable = accepts === undefined ? undefined : there.slice(0, mostRedirects).filter(accepts);
  const spellings = new Set(there.map(asRead));
  const isUsable =
    usable === undefined ? redirectUris.every((uri) => spellings.has(asRead(uri))) : usable.length > 0;
  if (isUsable) return usable;
  const shown = there.slice(0, 4).map((uri) => displayText(uri));
  throw new AuthError(
    'not-registered',
    `${issuer} registered the client with the redirect URIs ${shown.join(', ')}, and users cannot return to the client there: register it by hand, with ${redirectUris.join(', ')}.`,
  );
}

/** Redirect URIs of a registration that are read, at most. */
const mostRedirects = 16;

function asRead(uri: string): string {
  return isUrl(uri) ? new URL(uri).href : uri;
}

/** Returns the method in the response; undefined if there is none but an unrequested secret: the token endpoint then decides. */
function methodOf(
  body: UnknownObject,
  { issuer, authMethod }: RegistrationContext,
  secret: string | undefined,
): ClientAuthMethod | undefined {
  const registered = textOf(body, 'token_endpoint_auth_method');
  if (registered === undefined && authMethod === 'none' && secret !== undefined) return undefined;
  const method = registered ?? authMethod;
  if (!isRegistrable(method)) {
    throw new AuthError(
      'unsupported',
      `${issuer} registered the client with the authentication method ${displayText(method)}, which it does not support.`,
    );
  }
  if (method === 'none' || secret !== undefined) return method;
  throw new AuthError(
    'not-registered',
    `${issuer} registered the client with the authentication method ${method}, but without a secret.`,
  );
}

/** Converts seconds to milliseconds since 1970; 0 means never. */
function expiryOf({ client_secret_expires_at: at }: UnknownObject): number | undefined {
  return typeof at === 'number' && Number.isFinite(at) && at > 0 ? at * 1_000 : undefined;
}
