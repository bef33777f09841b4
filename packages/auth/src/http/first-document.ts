import type { UnknownObject } from '@tenon/mcp-protocol';
import { AuthError } from '../auth-error.js';
import { type DocumentRequest, getJsonDocument } from './json-document.js';

/** Places where a document may be, in the order in which they are asked. */
export interface PlacesRequest extends Omit<DocumentRequest, 'url' | 'headers'> {
  readonly places: readonly URL[];
  /** Headers for what is asked at one of them. */
  readonly headersFor?: ((url: URL) => Readonly<Record<string, string>>) | undefined;
}

/** The first document that was found, and where. */
export interface FoundDocument {
  readonly place: URL;
  readonly document: UnknownObject;
}

/** That there is none: each place, and what it said. */
export interface NoDocument {
  readonly document?: undefined;
  readonly absences: string;
}

/**
 * Asks one place after the other. One that fails with a status is no reason not to ask the next; but then nobody knows that
 * there is no document.
 * @throws AuthError `unreachable`, or whatever a request rejects with.
 */
export async function firstDocument(request: PlacesRequest): Promise<FoundDocument | NoDocument> {
  const { places, headersFor, http, signal } = request;
  const absences: string[] = [];
  let failure: AuthError | undefined;
  for (const place of places) {
    try {
      const { found, absent } = await getJsonDocument({
        url: place,
        http,
        headers: headersFor?.(place),
        signal,
      });
      if (found !== undefined) return { place, document: found };
      absences.push(`${place.origin}${place.pathname} (${absent})`);
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
