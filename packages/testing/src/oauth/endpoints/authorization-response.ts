import type { Authority } from '../authority/authority.js';
import { OauthProblem, type TestAnswer } from '../http/answer.js';

/** The target of an authorization response. */
export interface ResponseTarget {
  readonly redirectUri: string;
  readonly state: string | null | undefined;
}

/**
 * Redirects the browser to the client.
 * https://www.rfc-editor.org/rfc/rfc9207#section-2
 */
export function authorizationResponse(
  params: Readonly<Record<string, string>>,
  { redirectUri, state }: ResponseTarget,
  { issuer, settings }: Pick<Authority, 'issuer' | 'settings'>,
): TestAnswer {
  const said = new URLSearchParams(params);
  const back = settings.state === 'right' ? state : settings.state;
  if (back !== undefined && back !== null && back !== 'missing') said.set('state', back);
  if (settings.iss !== 'missing') said.set('iss', settings.iss === 'right' ? issuer : settings.iss);
  const joint = redirectUri.includes('?') ? '&' : '?';
  return { status: 302, headers: { location: redirectUri + joint + said, 'referrer-policy': 'no-referrer' } };
}

/** Redirects the browser to the client with an OAuth error; rethrows any other error. */
export function errorResponse(
  problem: unknown,
  target: ResponseTarget,
  authority: Pick<Authority, 'issuer' | 'settings'>,
): TestAnswer {
  if (!(problem instanceof OauthProblem)) throw problem;
  const { error, message } = problem;
  return authorizationResponse({ error, error_description: message }, target, authority);
}
