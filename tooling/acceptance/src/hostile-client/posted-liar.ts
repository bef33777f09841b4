import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Clock } from '@tenon/mcp-client';
import { type HttpClientLimits, httpTarget } from '@tenon/mcp-client/http';
import { type HeardMessage, type Liar, nameOf, type WayBack } from './liar.js';
import type { Place } from './place.js';
import { drained } from './relayed-liar.js';

/** One HTTP request. */
export interface Posted {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The message in the body; empty if there is none. */
  readonly message: HeardMessage;
  /** Number of requests of this name, including this one. */
  readonly count: number;
}

/** Responses by method, or by method and name, in place of the liar's; also for `GET` and `DELETE`. */
export type Raw = Readonly<Record<string, (posted: Posted) => unknown>>;

/** Options for serving a liar over HTTP. */
export interface Posting {
  readonly clock: Clock;
  readonly limits?: Partial<HttpClientLimits> | undefined;
  readonly raw?: Raw | undefined;
}

let count = 0;

/** Serves a liar over HTTP: its messages in response to a request are the events of a stream. */
export async function postedLiar(liar: Liar, { clock, limits, raw = {} }: Posting): Promise<Place> {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const message = (body === '' ? { method: request.method } : JSON.parse(body)) as HeardMessage;
    const name = nameOf(message);
    const lie = raw[name] ?? raw[message.method ?? 'answer'];
    if (body === '' || lie !== undefined) liar.note(message);
    if (lie !== undefined) lie({ request, response, message, count: liar.count(name) });
    else if (body === '') response.writeHead(405).end();
    else liar.take(message, events(response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  // A path of its own: the client must not reuse what it knows about another server on the same port.
  const url = `http://127.0.0.1:${port}/liar-${++count}`;
  return {
    target: httpTarget(url, { clock, limits: limits ?? {}, random: () => 0.5 }),
    remains: async () => [],
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A response that becomes an event stream with the first message, and is empty otherwise. */
function events(response: ServerResponse): WayBack {
  let isInside = false;
  return {
    write: (text) => {
      if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
      const written = response.write(isInside ? text : `data: ${text}`);
      isInside = true;
      return drained(response, written);
    },
    say: (...texts) => {
      if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
      return drained(response, response.write(`data: ${texts.join('\n\ndata: ')}\n\n`));
    },
    end: () => {
      if (!response.headersSent) response.statusCode = 202;
      response.end();
    },
    cut: () => void response.socket?.destroy(),
  };
}
