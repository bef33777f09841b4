import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Clock } from '@tenon/mcp-client';
import { type HttpClientLimits, httpTarget } from '@tenon/mcp-client/http';
import { type HeardMessage, type Liar, nameOf, type WayBack } from './liar.js';
import type { Place } from './place.js';
import { room } from './relayed-liar.js';

/** One request over HTTP. */
export interface Posted {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The message in it; empty where there is none. */
  readonly message: HeardMessage;
  /** How many requests of this name there have been, this one included. */
  readonly count: number;
}

/** What is done on a request in place of what the liar says, by method or by method and name; `GET` and `DELETE` too. */
export type Raw = Readonly<Record<string, (posted: Posted) => unknown>>;

/** How a liar is reached over HTTP. */
export interface Posting {
  readonly clock: Clock;
  readonly limits?: Partial<HttpClientLimits> | undefined;
  readonly raw?: Raw | undefined;
}

let count = 0;

/** A liar behind HTTP: what it says on a request are the events of a stream. */
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
  // What is found out of one server is nothing to another that gets its port.
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

/** A response that is a stream of events once something is said, and else empty. */
function events(response: ServerResponse): WayBack {
  let isInside = false;
  return {
    write: (text) => {
      if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
      const written = response.write(isInside ? text : `data: ${text}`);
      isInside = true;
      return room(response, written);
    },
    say: (...texts) => {
      if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
      return room(response, response.write(`data: ${texts.join('\n\ndata: ')}\n\n`));
    },
    end: () => {
      if (!response.headersSent) response.statusCode = 202;
      response.end();
    },
    cut: () => void response.socket?.destroy(),
  };
}
