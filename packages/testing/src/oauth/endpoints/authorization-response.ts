import type { TestAnswer } from '../answer.js';
import type { Authority } from '../authority.js';
import { OauthProblem } from '../oauth-problem.js';

/** Where an authorization response goes. */
export interface ResponseTarget {
  readonly redirectUri: string;
  readonly state: string | null | undefined;
}

/**
 * Sends the browser back to the client.
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

/** Sends the browser back with what went wrong; what is no refusal is thrown again. */
export function errorResponse(
  problem: unknown,
  target: ResponseTarget,
  authority: Pick<Authority, 'issuer' | 'settings'>,
): TestAnswer {
  if (!(problem instanceof OauthProblem)) throw problem;
  const { error, message } = problem;
  return authorizationResponse({ error, error_description: message }, target, authority);
}
