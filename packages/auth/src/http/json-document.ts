import type { UnknownObject } from '@tenon/mcp-protocol';
import { isNestedDeeper, isObject } from '@tenon/mcp-protocol/internal';
import { AuthError } from '../auth-error.js';
import type { OauthAnswer, OauthHttp } from './oauth-http.js';

/** Where a document may be, and how it is asked for. */
export interface DocumentRequest {
  readonly url: URL;
  readonly http: OauthHttp;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A JSON object that was found, or why nothing is there. */
export type JsonDocument =
  | { readonly found: UnknownObject; readonly absent?: undefined }
  | { readonly found?: undefined; readonly absent: string };

const deepest = 32;

// Answers that say nothing of whether there is a document.
const notNow: ReadonlySet<number> = new Set([408, 425, 429]);

/**
 * Gets a document of metadata. The specifications leave open what tells that there is none from that it cannot be had now, and
 * much hangs on it: where there is none, the next place is asked, up to what servers of old had. Here, as in the official SDKs,
 * status 4xx says that there is none; so does anything with status 200 that is no JSON, since many sites answer every path with their
 * start page. A JSON object is one under whatever name: files without a suffix are served as text, or as bytes. What may be otherwise in a moment, status 5xx and what asks for patience, is a failure; unlike in the SDKs, 502 too,
 * so that a proxy whose server is down does not lead to another place to sign in.
 * @throws AuthError `unreachable`, or whatever the request rejects with.
 */
export async function getJsonDocument(request: DocumentRequest): Promise<JsonDocument> {
  const { url, http, headers = {}, signal } = request;
  const answer = await http.send({ method: 'GET', url, headers, signal });
  const { status, mediaType } = answer;
  if (status >= 500 || notNow.has(status)) {
    throw new AuthError('unreachable', `${url.origin}${url.pathname} answered with status ${status}.`, {
      answerStatus: status,
    });
  }
  if (status !== 200) return { absent: `status ${status}` };
  if (isJson(mediaType)) return { found: readObject(answer, url) };
  const found = isPage(mediaType) ? undefined : objectIn(answer.text);
  return found === undefined ? { absent: `no JSON, but ${mediaType.slice(0, 40)}` } : { found };
}

function isJson(mediaType: string): boolean {
  return mediaType === '' || mediaType === 'application/json' || /^[\w.+/-]+\+json$/.test(mediaType);
}

function isPage(mediaType: string): boolean {
  return mediaType.includes('html');
}

function objectIn(text: string): UnknownObject | undefined {
  const value = parsed(text);
  return isObject(value) && !isNestedDeeper(value, text, deepest) ? value : undefined;
}

function readObject({ text, status }: OauthAnswer, url: URL): UnknownObject {
  const value = parsed(text);
  const isDeep = isNestedDeeper(value, text, deepest);
  if (isObject(value) && !isDeep) return value;
  const flaw = isDeep ? `is nested in more than ${deepest} levels` : 'is no JSON object';
  throw new AuthError('unreachable', `The document at ${url.origin}${url.pathname} ${flaw}.`, {
    answerStatus: status,
  });
}

/** Undefined for what is no JSON: the parser's own message would show what it read. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
