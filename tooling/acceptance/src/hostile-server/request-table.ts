import { Buffer } from 'node:buffer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { counted } from './counted.js';
import { HttpPlace } from './http-place.js';
import type { PostingPeer } from './posting.js';
import { type RawHeaders, requestText } from './raw-http.js';
import { oneOfEachKind } from './speech.js';

/** The revision without sessions. */
export const stateless = oneOfEachKind[1] as (typeof oneOfEachKind)[number];

/** Bytes on a connection of their own, and the expected responses. */
export interface Row {
  readonly name: string;
  readonly bytes: (peer: PostingPeer) => string | Uint8Array;
  /** Expected statuses, in order. */
  readonly gets: readonly number[];
  /** Number of requests that reach the server. Default: the number of responses with status 200. */
  readonly runs?: number;
  /** True if the server closes the connection. Default: it waits for another request. */
  readonly ends?: boolean;
}

/** A valid call. */
export const ask = (peer: PostingPeer) => peer.speech.call(1, 'echo', { text: 'x' });

/** The expected responses, and whether the connection closes. */
export type Fate = Pick<Row, 'gets' | 'runs' | 'ends'>;
/** A status on a connection that stays open, or more than that. */
type Outcome = number | Fate;
const outcome = (given: Outcome): Fate => (typeof given === 'number' ? { gets: [given] } : given);
/** A status after which the connection closes, with no request handled. */
export const cut = (...gets: readonly number[]): Fate => ({ gets, ends: true, runs: 0 });

/** A valid call, with these headers changed. */
export function headed(name: string, headers: RawHeaders, given: Outcome): Row {
  return { name, bytes: (peer) => peer.text(ask(peer), headers), ...outcome(given) };
}

/** A valid call, with another request line. */
export function aimed(line: string, given: Outcome): Row {
  const bytes = (peer: PostingPeer) => peer.text(ask(peer)).replace('POST /mcp HTTP/1.1', line);
  return { name: line, bytes, ...outcome(given) };
}

/** Valid headers with an invalid body. */
export function bodied(name: string, body: string | Uint8Array, given: Outcome): Row {
  return { name, bytes: (peer) => withBody(peer, body), ...outcome(given) };
}

/** Valid headers with these changes, followed by these bytes. */
export function withBody(peer: PostingPeer, body: string | Uint8Array, headers: RawHeaders = {}): Uint8Array {
  const bytes = Buffer.from(body);
  const length = { 'content-length': String(bytes.length) };
  return Buffer.concat([
    Buffer.from(requestText('POST /mcp', { ...peer.headersFor(ask(peer)), ...length, ...headers })),
    bytes,
  ]);
}

/** Valid headers with a body in these chunks. */
export function chunked(name: string, pieces: (body: string) => string, given: Outcome): Row {
  const head = (peer: PostingPeer) =>
    requestText('POST /mcp', { ...peer.headersFor(ask(peer)), 'transfer-encoding': 'chunked' });
  return { name, bytes: (peer) => head(peer) + pieces(ask(peer)), ...outcome(given) };
}

/** A chunk with its size. */
export const piece = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

/** Runs each row on a connection of its own, and prints the number of rows. */
export function requestTable(title: string, groups: Readonly<Record<string, readonly Row[]>>): void {
  describe.each(Object.entries(groups))('%s', (_title, rows) => {
    let place: HttpPlace;
    beforeAll(async () => {
      place = await HttpPlace.open();
    });
    afterAll(() => place.close());
    it.each(rows.map((row) => [row.name.slice(0, 80), row] as const))('%s', (_name, row) => hold(place, row));
  });
  counted(title, () => Object.values(groups).flat().length);
}

async function hold(place: HttpPlace, { bytes, gets, runs, ends }: Row): Promise<void> {
  const socket = await place.socket();
  place.handled.length = 0;
  socket.write(bytes(place.peer(stateless)));
  const responses = ends === true ? await socket.end() : await socket.countOrEnd(gets.length);
  expect(responses.map(({ status }) => status)).toEqual(gets);
  expect(place.handled).toHaveLength(runs ?? gets.filter((status) => status === 200).length);
  for (const { status, body, headers } of responses) {
    if (status >= 400) expect(body.length).toBeLessThan(1_000);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  }
  socket.close();
  await place.serves(stateless);
}
