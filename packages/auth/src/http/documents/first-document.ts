import type { UnknownObject } from '@tenon/mcp-protocol';
import { AuthError } from '../../auth-error.js';
import { type DocumentRequest, getJsonDocument } from './json-document.js';

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
