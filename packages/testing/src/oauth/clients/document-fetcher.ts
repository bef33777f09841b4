import type { UnknownObject } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';

/** Options for fetching documents of clients. */
export interface DocumentFetching {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly bytes: number;
  /** Milliseconds for the whole response. */
  readonly time: number;
}

/**
 * Fetches a JSON object of bounded size, without following redirects.
 * @throws Error with the reason if there is none
 */
export async function fetchDocument(
  url: string,
  { fetch, bytes, time }: DocumentFetching,
): Promise<UnknownObject> {
  const response = await fetch(url, {
    redirect: 'error',
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(time),
  });
  if (response.status !== 200) throw new Error(`the status is ${response.status}`);
  const value: unknown = JSON.parse(await boundedText(response, bytes));
  if (!isObject(value)) throw new Error('it is not a JSON object');
  return value;
}

async function boundedText(response: Response, most: number): Promise<string> {
  if (response.body === null) return '';
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body as AsyncIterable<Uint8Array>) {
    size += piece.byteLength;
    if (size > most) throw new Error(`it is larger than ${most} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
