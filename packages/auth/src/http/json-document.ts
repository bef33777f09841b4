import { jsonIn } from '@tenon/foundation';
import type { UnknownObject } from '@tenon/mcp-protocol';
import { isNestedDeeper, isObject } from '@tenon/mcp-protocol/internal';
import { AuthError } from '../auth-error.js';
import type { OauthHttp } from './oauth-http.js';

/** A request for a document. */
export interface DocumentRequest {
  readonly url: URL;
  readonly http: OauthHttp;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The JSON object of a document, or the reason why there is no document. */
export type JsonDocument =
  | { readonly found: UnknownObject; readonly absent?: undefined }
  | { readonly found?: undefined; readonly absent: string };

const deepest = 32;

// 4xx responses that do not say whether there is a document.
const notNow: ReadonlySet<number> = new Set([408, 425, 429]);

/** True for a response that may be another one later. */
export function isTemporary(status: number): boolean {
  return status >= 500 || notNow.has(status);
}

/**
 * Fetches a metadata document. The specifications do not define which responses mean that there is no document, and which
 * mean that it is unavailable for now. The difference matters: if there is none, the next URL is tried, down to the defaults
 * of old servers. Tenon follows the official SDKs: no document means status 4xx, or status 200 with content that is not
 * JSON, because many sites answer every path with their start page. A JSON object counts under any media type, because files
 * without a suffix are served as text or as bytes. Status 5xx, 408, 425 and 429 are errors. Unlike in the SDKs 502 is an
 * error too, so that a proxy with a stopped server does not lead to another sign-in page.
 * @throws AuthError `unreachable`, or the error of the request.
 */
export async function getJsonDocument(request: DocumentRequest): Promise<JsonDocument> {
  const { url, http, headers = {}, signal } = request;
  const { status, mediaType, text } = await http.send({ method: 'GET', url, headers, signal });
  const at = `${url.origin}${url.pathname}`;
  const unreachable = (message: string) => new AuthError('unreachable', message, { answerStatus: status });
  if (isTemporary(status)) throw unreachable(`${at} answered with status ${status}.`);
  if (status !== 200) return { absent: `status ${status}` };
  const value = jsonIn(text);
  const isDeep = isNestedDeeper(value, text, deepest);
  const isJson = /^(?:|application\/json|[\w.+/-]+\+json)$/.test(mediaType);
  if (isObject(value) && !isDeep && (isJson || !mediaType.includes('html'))) return { found: value };
  if (!isJson) return { absent: `not JSON, but ${mediaType.slice(0, 40)}` };
  const problem = isDeep ? `is nested in more than ${deepest} levels` : 'is not a JSON object';
  throw unreachable(`The document at ${at} ${problem}.`);
}

/** The URLs that a document may have, in the order in which they are tried. */
export interface DocumentSearch extends Omit<DocumentRequest, 'url' | 'headers'> {
  readonly urls: readonly URL[];
  /** Returns the headers of the request to one of them. */
  readonly headersFor?: ((url: URL) => Readonly<Record<string, string>>) | undefined;
}

/** The first document that was found, with its URL. */
export interface FoundDocument {
  readonly url: URL;
  readonly document: UnknownObject;
}

/** The result if no URL has a document. `absences` lists each URL with its response. */
export interface NoDocument {
  readonly document?: undefined;
  readonly absences: string;
}

/**
 * Tries one URL after the other. After a response with an error status the next URL is tried too, but if none of them has
 * the document, the first error is thrown, because the document may exist.
 * @throws AuthError `unreachable`, or the error of a request.
 */
export async function firstDocument(request: DocumentSearch): Promise<FoundDocument | NoDocument> {
  const { urls, headersFor, http, signal } = request;
  const absences: string[] = [];
  let failure: AuthError | undefined;
  for (const url of urls) {
    try {
      const { found, absent } = await getJsonDocument({
        url,
        http,
        headers: headersFor?.(url),
        signal,
      });
      if (found !== undefined) return { url, document: found };
      absences.push(`${url.origin}${url.pathname} (${absent})`);
    } catch (error) {
      if (!answeredButFailed(error)) throw error;
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return { absences: absences.join(', ') };
}

function answeredButFailed(error: unknown): error is AuthError {
  return error instanceof AuthError && error.answerStatus !== undefined && error.answerStatus !== 200;
}
