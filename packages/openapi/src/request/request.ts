import type { UnknownObject } from '@tenon/json-schema/structure';
import { ToolError } from '@tenon/mcp-server';
import { type BodyPlan, requestBody } from './body.js';
import { encoded, headerValue, type Pairs, pairsOf, pathPart, type Style } from './styles.js';

/** A parameter of an operation, and the argument of its tool. */
export interface ParameterPlan extends Style {
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'querystring';
  readonly argument: string;
  readonly required: boolean;
  /** The media type of a parameter with `content`. */
  readonly mediaType: string | undefined;
}

/** The parts of the requests of a tool. */
export interface RequestPlan {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly ParameterPlan[];
  readonly body: BodyPlan | undefined;
}

/** The parts of a request that hold credentials. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Pairs;
  readonly cookies: readonly string[];
}

/** One request to the API. */
export interface ApiRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

/** Characters of a URL that most servers accept. */
const longestUrl = 16_000;

/**
 * Returns the request for the arguments of a call, without credentials.
 * @param base - the URL of the API, to which the path is added.
 * @throws ToolError if an argument cannot be sent, such as a part of a path that leads elsewhere.
 */
export function requestOf(plan: RequestPlan, input: UnknownObject, base: URL): ApiRequest {
  const given = (place: ParameterPlan['in']) =>
    plan.parameters.filter((one) => one.in === place && input[one.argument] !== undefined);
  const pairs = [...given('query'), ...given('querystring')].flatMap((one) =>
    queryOf(one, input[one.argument]),
  );
  // Some documents tell operations of one path apart by a query, which is sent, or a fragment, which is not.
  const [template = '', fixed = ''] = plan.path.replace(/#.*$/, '').split('?');
  const path = pathOf(template, plan, input);
  const query = [...(fixed === '' ? [] : [fixed]), ...pairs].join('&');
  const url = `${base.origin}${base.pathname.replace(/\/+$/, '')}${path}${query === '' ? '' : `?${query}`}`;
  if (url.length > longestUrl)
    throw new ToolError(`The arguments make a URL of more than ${longestUrl} characters. Send less.`);
  const headers: Record<string, string> = {};
  for (const one of given('header')) headers[one.name.toLowerCase()] = headerText(one, input[one.argument]);
  const cookies = given('cookie').flatMap((one) => cookiesOf(one, input[one.argument]));
  if (cookies.length > 0) headers.cookie = cookies.join('; ');
  const body = plan.body === undefined ? undefined : requestBody(plan.body, input);
  if (body !== undefined) headers['content-type'] = body.mediaType;
  return { method: plan.method, url: new URL(url), headers, body: body?.content };
}

function pathOf(path: string, { parameters }: RequestPlan, input: UnknownObject): string {
  const byName = new Map(parameters.flatMap((one) => (one.in === 'path' ? [[one.name, one] as const] : [])));
  const written = path.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const parameter = byName.get(name);
    if (parameter === undefined) return '';
    const value = input[parameter.argument];
    const part =
      parameter.mediaType === undefined ? pathPart(parameter, value) : encoded(JSON.stringify(value) ?? '');
    // Without its last part a path often names a collection: DELETE /pets/ is another operation.
    if (part === '')
      throw new ToolError(`${parameter.argument} must not be empty: it is a part of the path.`);
    return part;
  });
  if (written.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment)))
    throw new ToolError('An argument would lead to another path: "." and ".." cannot be parts of a path.');
  return written;
}

function queryOf(parameter: ParameterPlan, value: unknown): string[] {
  const { mediaType, name } = parameter;
  if (parameter.in === 'querystring') {
    if (mediaType?.startsWith('application/x-www-form-urlencoded') !== true)
      return [encoded(JSON.stringify(value) ?? '')];
    return texts(pairsOf({ name, style: 'form', explode: true, allowReserved: false }, value));
  }
  if (mediaType !== undefined) return [`${encoded(name)}=${encoded(contentText(mediaType, value))}`];
  return texts(pairsOf(parameter, value));
}

function contentText(mediaType: string, value: unknown): string {
  const isText = /^text\//i.test(mediaType) && typeof value === 'string';
  return isText ? value : (JSON.stringify(value) ?? '');
}

function texts(pairs: Pairs): string[] {
  return pairs.map(([name, value]) => `${name}=${value}`);
}

function headerText(parameter: ParameterPlan, value: unknown): string {
  const { mediaType, argument } = parameter;
  const text = mediaType === undefined ? headerValue(parameter, value) : contentText(mediaType, value);
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) return text.trim();
  throw new ToolError(`${argument} has a character that a header cannot have.`);
}

function cookiesOf(parameter: ParameterPlan, value: unknown): string[] {
  const written = texts(pairsOf(parameter, value));
  if (written.every((one) => /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/.test(one.replaceAll(',', ''))))
    return written;
  throw new ToolError(`${parameter.argument} has a character that a cookie cannot have.`);
}

/** Returns a request with credentials, in place of what the arguments put there. */
export function withCredentials(request: ApiRequest, { headers, query, cookies }: Credentials): ApiRequest {
  const url = new URL(request.url);
  const kept = [url.search.slice(1), ...texts(query)].filter((text) => text !== '');
  url.search = kept.join('&');
  const cookie = [request.headers.cookie, headers.cookie, ...cookies].filter((text) => text !== undefined);
  return {
    ...request,
    url,
    headers: { ...request.headers, ...headers, ...(cookie.length > 0 && { cookie: cookie.join('; ') }) },
  };
}
