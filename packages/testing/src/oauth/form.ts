import { check, type RecordedRequest } from './messages.js';

const repeatable = new Set(['resource', 'audience']);

/** True if the body of a request is a form. */
export function isForm({ 'content-type': type = '' }: RecordedRequest['headers']): boolean {
  return /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type);
}

/** Returns the query of a URL, without the `?`. */
export function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}

/**
 * Returns the parameters of a POST request from its form, and of any other from its query.
 * @throws OauthProblem `invalid_request` without a form, or if a parameter is repeated that must be single
 */
export function paramsOf({ method, headers, url, body }: RecordedRequest): URLSearchParams {
  const isPost = method === 'POST';
  check(!isPost || isForm(headers), 'invalid_request', 'The body must be application/x-www-form-urlencoded.');
  const params = new URLSearchParams(isPost ? body : queryOf(url));
  for (const name of new Set(params.keys())) {
    const values = params.getAll(name);
    const isAllowed = values.length === 1 || repeatable.has(name);
    check(isAllowed, 'invalid_request', `${JSON.stringify(name)} is given more than once.`);
    // A parameter without a value counts as missing.
    if (values[0] === '') params.delete(name);
  }
  return params;
}

/** Returns a required parameter. @throws OauthProblem `invalid_request` */
export function needed(params: URLSearchParams, name: string): string {
  const value = params.get(name);
  check(value !== null, 'invalid_request', `${name} is missing.`);
  return value;
}

/** Returns the words of a text, separated by spaces. */
export function words(text: string | null | undefined): readonly string[] {
  return [...new Set((text ?? '').split(' ').filter((word) => word !== ''))];
}
