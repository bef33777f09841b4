import { pause, withDeadline } from '@tenon/foundation';
import { isObject } from '@tenon/mcp-protocol/internal';
import { AuthError, changedError } from '../auth-error.js';
import type { AuthorizationServer } from '../discovery/authorization-server.js';
import { asciiTextOf } from '../http/document-text.js';
import { endpointUrl } from '../http/endpoint-url.js';
import { isTemporary } from '../http/json-document.js';
import type { GrantCall } from '../oauth/grant.js';
import { type DeviceCode, type Interaction, runInteraction, tooLate } from '../oauth/interaction.js';
import { postForm, requestTokens } from '../oauth/token-endpoint.js';
import { lifetimeOf } from '../oauth/token-response.js';
import type { TokenSet } from '../oauth/token-set.js';
import { deviceGrantType } from '../registration/registration-metadata.js';

/** An answer of a device authorization endpoint. */
export interface IssuedDeviceCode {
  /** For the token endpoint: the user does not see it. */
  readonly deviceCode: string;
  /** Milliseconds between two token requests. */
  readonly interval: number;
  readonly shown: DeviceCode;
}

/** Milliseconds that a sign-in takes at most. */
const longestWait = 1_800_000;
/** Milliseconds between two token requests, if the server does not say; and the amount of each `slow_down`. */
const usualInterval = 5_000;
/** Milliseconds between two token requests, at least. */
const shortestInterval = 1_000;
/** Milliseconds until the next token request after failures, at most, unless the interval is longer. */
const longestPause = 60_000;
/** Characters of a code for the user, who types it. */
const longestUserCode = 64;
const longestDeviceCode = 4_096;

/** Returns the endpoint that issues device codes. @throws AuthError `unsupported` */
export function deviceEndpoint({ issuer, deviceAuthorizationEndpoint }: AuthorizationServer): URL {
  if (deviceAuthorizationEndpoint !== undefined) return deviceAuthorizationEndpoint;
  throw new AuthError(
    'unsupported',
    `${new URL(issuer).origin} has no device_authorization_endpoint: users cannot sign in there with a code on another device. Sign in with a browser, without the option device.`,
  );
}

/**
 * Requests a code for the user.
 * https://www.rfc-editor.org/rfc/rfc8628#section-3.1
 * @param options - the time that the user may take, and hosts or origins that are trusted although they are not https.
 * @throws AuthError `unsupported`, `forbidden-address` if the user must not be sent to the page, `unreachable` if the response is
 * unusable, or the refusal of the server.
 */
export async function requestDeviceCode(
  { request, client, tools }: GrantCall,
  {
    timeout = longestWait,
    allow,
  }: { readonly timeout?: number | undefined; readonly allow: readonly string[] | undefined },
): Promise<IssuedDeviceCode> {
  const { server, resource, scopes } = request;
  const { body, origin } = await postForm({
    server: { ...server, tokenEndpoint: deviceEndpoint(server) },
    client,
    params: { scope: scopes?.join(' '), resource },
    // A proof is for the token endpoint.
    tools: { ...tools, dpop: undefined },
    label: 'device authorization request',
  });
  const answer = isObject(body) ? body : {};
  const deviceCode = asciiTextOf(answer, 'device_code', longestDeviceCode);
  const userCode = asciiTextOf(answer, 'user_code', longestUserCode);
  if (deviceCode === undefined || userCode === undefined) {
    const name = deviceCode === undefined ? 'device_code' : 'user_code';
    throw new AuthError(
      'unreachable',
      `${origin} sent an unusable device code: ${name} is not a text of visible ASCII characters, or is too long.`,
      { answerStatus: 200 },
    );
  }
  const page = async (name: string) => {
    const url = endpointUrl({ text: answer[name], name, of: server.issuer, allow });
    await tools.http.check?.(url);
    return url;
  };
  const complete = answer.verification_uri_complete ?? undefined;
  return {
    deviceCode,
    interval: Math.max(shortestInterval, lifetimeOf(answer.interval) ?? usualInterval),
    shown: {
      subject: { resource, issuer: server.issuer, scopes: scopes ?? [] },
      userCode,
      verificationUri: await page('verification_uri'),
      verificationUriComplete: complete === undefined ? undefined : await page('verification_uri_complete'),
      lifetime: Math.min(timeout, longestWait, lifetimeOf(answer.expires_in) ?? longestWait),
    },
  };
}

/**
 * Shows a code to the user, and requests tokens until the user has signed in.
 * https://www.rfc-editor.org/rfc/rfc8628#section-3.4
 * @throws AuthError `denied`, `timeout`, `interaction-failed`, or the error of the token endpoint.
 */
export function deviceTokens(
  issued: IssuedDeviceCode,
  { request, client, tools }: GrantCall,
  device: NonNullable<Interaction['device']>,
): Promise<TokenSet> {
  const { shown } = issued;
  const { lifetime: ms } = shown;
  const late = () => tooLate(ms);
  return withDeadline({ clock: tools.clock, ms, signal: tools.signal, late }, async (signal) => {
    await runInteraction({ signal }, () => device.show(shown));
    return polledTokens(issued, { request, client, tools: { ...tools, signal } });
  });
}

async function polledTokens(
  { deviceCode, interval: first }: IssuedDeviceCode,
  { request, client, tools }: GrantCall,
): Promise<TokenSet> {
  const { server, resource, scopes } = request;
  const { clock, signal } = tools;
  const params = { grant_type: deviceGrantType, device_code: deviceCode, resource };
  let interval = first;
  let failures = 0;
  for (;;) {
    const wait = Math.min(interval * 2 ** failures, Math.max(interval, longestPause));
    await pause(clock, wait, { signal, holds: true });
    signal?.throwIfAborted();
    try {
      return await requestTokens({ server, client, params, asked: scopes, tools });
    } catch (error) {
      const code = error instanceof AuthError ? error.oauthError : undefined;
      const isPending = code === 'authorization_pending' || code === 'slow_down';
      if (!isPending && !isPassing(error)) throw refusal(error);
      if (code === 'slow_down') interval += usualInterval;
      failures = isPending ? 0 : failures + 1;
    }
  }
}

/** True if the server could not be reached, or could not answer. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof AuthError) || error.reason !== 'unreachable') return false;
  const { answerStatus, oauthError } = error;
  return oauthError !== undefined || answerStatus === undefined || isTemporary(answerStatus);
}

function refusal(error: unknown): unknown {
  if (!(error instanceof AuthError) || error.oauthError !== 'expired_token') return error;
  const message = 'The code expired before the user signed in. Start the sign-in again.';
  return changedError(error, { reason: 'timeout', message });
}
