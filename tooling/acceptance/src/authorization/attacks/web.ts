import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A recorded request, secrets included. */
export interface Heard {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Responds to a request, or leaves it without a response. */
export type Answer = (heard: Heard, response: ServerResponse) => unknown;

/** A web server on this machine with responses from a row, which records all requests. */
export class Web {
  readonly heard: Heard[] = [];
  answer: Answer;
  readonly #server: Server;

  private constructor(answer: Answer, server: Server) {
    this.answer = answer;
    this.#server = server;
  }

  static async open(answer: Answer = (_, response) => response.writeHead(404).end()): Promise<Web> {
    const server = createServer(async (request, response) => {
      const { method = '', url = '', headers } = request;
      const heard = { method, url, headers, body: await text(request) };
      web.heard.push(heard);
      web.answer(heard, response);
    });
    const web = new Web(answer, server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return web;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** All requests, as one text. */
  get everything(): string {
    return JSON.stringify(this.heard);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** Responds with a JSON document. */
export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  const text = JSON.stringify(body);
  const length = String(Buffer.byteLength(text));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': length }).end(text);
}
