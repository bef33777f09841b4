import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** One HTTP request as it came in. */
export interface Heard {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** A place for an MCP server that has its address before it is known what it says, and keeps what it hears. */
export class HttpPlace {
  origin = '';
  /** Path of its MCP server; none where it is the whole origin. */
  path = '/mcp';
  /** Every request, in order. */
  readonly heard: Heard[] = [];
  serve: RequestListener = (_, response) => void response.writeHead(404).end();

  /** A place of its own on 127.0.0.1, until the test ends. */
  static async open(): Promise<HttpPlace> {
    const place = new HttpPlace();
    const server = createServer(place.hear);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    place.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    onTestFinished(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return place;
  }

  /** Takes a request, its own or of a server that shares its address. */
  readonly hear = (request: IncomingMessage, response: ServerResponse): void => {
    const { method = '', url = '', headers } = request;
    this.heard.push({ method, url, headers });
    this.serve(request, response);
  };

  /** Where its MCP server is: its identifier. */
  get url(): string {
    return this.origin + this.path;
  }

  /** What was asked of the MCP server, in order. */
  get calls(): readonly Heard[] {
    return this.heard.filter(({ url }) => !url.startsWith('/.well-known/'));
  }

  /** The paths of documents that were asked for, in order. */
  get lookups(): readonly string[] {
    return this.heard.filter(({ url }) => url.startsWith('/.well-known/')).map(({ url }) => url);
  }
}
