import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** One received HTTP request. */
export interface Heard {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** An address for an MCP server, known before the server exists, which records all requests. */
export class HttpPlace {
  origin = '';
  /** Path of the MCP server; empty if it is the whole origin. */
  path = '/mcp';
  /** All requests, in order. */
  readonly heard: Heard[] = [];
  serve: RequestListener = (_, response) => void response.writeHead(404).end();

  /** Opens a port of 127.0.0.1 until the end of the test. */
  static async open(): Promise<HttpPlace> {
    const place = new HttpPlace();
    const server = createServer(place.handle);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    place.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    onTestFinished(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return place;
  }

  /** Handles a request, also one for another server at the same address. */
  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const { method = '', url = '', headers } = request;
    this.heard.push({ method, url, headers });
    this.serve(request, response);
  };

  /** The URL of the MCP server, which is its identifier. */
  get url(): string {
    return this.origin + this.path;
  }

  /** The requests to the MCP server, in order. */
  get calls(): readonly Heard[] {
    return this.heard.filter(({ url }) => !url.startsWith('/.well-known/'));
  }

  /** The paths of requested documents, in order. */
  get lookups(): readonly string[] {
    return this.heard.filter(({ url }) => url.startsWith('/.well-known/')).map(({ url }) => url);
  }
}
