import { expect } from 'vitest';
import { type RawHeaders, type RawResponse, requestText } from '../../hostile-server/raw-http.js';
import { oneOfEachKind } from '../../hostile-server/speech.js';
import type { ProtectedPlace } from './protected-place.js';

/** A request that needs a token. */
export interface Knock {
  readonly name: string;
  /** Returns the text of the request, with these headers. */
  readonly text: (place: ProtectedPlace, headers: RawHeaders, query?: string) => string;
}

const posted = (name: string, kind: 0 | 1): Knock => ({
  name,
  text: (place, headers, query = '') => {
    const revision = oneOfEachKind[kind] as (typeof oneOfEachKind)[number];
    const peer = place.peer(revision, undefined);
    const body = kind === 0 ? peer.speech.initialize() : peer.speech.call(1, 'who');
    return requestText(`POST /mcp${query}`, { ...peer.headersFor(body), ...headers }, body);
  },
});
const opened = (name: string, line: string): Knock => ({
  name,
  text: (_, headers, query = '') => requestText(line + query, { accept: 'text/event-stream', ...headers }),
});

/** One request for each endpoint; only the token protects it. */
export const knocks: readonly Knock[] = [
  posted('POST', 1),
  posted('POST with a handshake', 0),
  opened('GET', 'GET /mcp'),
  opened('DELETE', 'DELETE /mcp'),
  opened('GET of HTTP+SSE', 'GET /sse'),
  opened('POST of HTTP+SSE', 'POST /messages'),
];

/** Sends a request and returns the response. Closes event streams at once. */
export async function knock(place: ProtectedPlace, text: string): Promise<RawResponse> {
  const socket = await place.socket();
  socket.write(text);
  await socket.until(() => socket.text.includes('\r\n\r\n'));
  const isStream = /^content-type: text\/event-stream/im.test(socket.text);
  const response = isStream ? head(socket.text) : await socket.count(1);
  socket.close();
  return response;
}

function head(text: string): RawResponse {
  return { status: Number(text.split(' ')[1]), headers: {}, body: '' };
}

/** Checks a rejection: it names the error, refers to the metadata, and repeats no secret. */
export function expectRefused(
  response: RawResponse,
  place: ProtectedPlace,
  { status, error, secret }: Refusal,
): void {
  const { headers, body } = response;
  const challenge = headers['www-authenticate'] ?? '';
  const [, reported] = /error="([^"]*)"/.exec(challenge) ?? [];
  expect({ status: response.status, error: reported }).toEqual({ status, error });
  if (status !== 503) expect(challenge).toContain(`resource_metadata="${place.metadata}"`);
  expect(body.length).toBeLessThan(1_000);
  if (secret !== undefined && secret.length > 3) {
    expect(body + challenge + JSON.stringify(place.refused)).not.toContain(secret);
  }
  expect(place.notes.ran).toEqual([]);
}

export interface Refusal {
  readonly status: number;
  /** Undefined if the request had no token. */
  readonly error?: string | undefined;
  /** A text the response must not contain. */
  readonly secret?: string | undefined;
}
