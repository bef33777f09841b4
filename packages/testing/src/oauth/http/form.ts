import { OauthProblem } from './answer.js';
import type { RecordedRequest } from './recorded-request.js';

const repeatable = new Set(['resource', 'audience']);

/**
 * Returns the parameters of a form or query.
 * @throws OauthProblem `invalid_request` if a parameter is repeated that must be single
 */
export function singleParams(text: string): URLSearchParams {
  const params = new URLSearchParams(text);
  const seen = new Set<string>();
  for (const name of params.keys()) {
    if (seen.has(name) && !repeatable.has(name))
      throw new OauthProblem('invalid_request', `${JSON.stringify(name)} is given more than once.`);
    seen.add(name);
  }
  // A parameter without a value counts as missing.
  for (const name of seen) if (params.get(name) === '') params.delete(name);
  return params;
}

/** @throws OauthProblem `invalid_request` */
export function formOf({ headers, body }: RecordedRequest): URLSearchParams {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded')
    throw new OauthProblem('invalid_request', 'The body must be application/x-www-form-urlencoded.');
  return singleParams(body);
}

/**
 * Returns a required parameter.
 * @throws OauthProblem `invalid_request`
 */
export function needed(params: URLSearchParams, name: string): string {
  const value = params.get(name);
  if (value === null) throw new OauthProblem('invalid_request', `${name} is missing.`);
  return value;
}

/** Returns the words of a text, separated by spaces. */
export function words(text: string | null | undefined): readonly string[] {
  return [...new Set((text ?? '').split(' ').filter((word) => word !== ''))];
}
