import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Client, type Tool, textOf } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer } from '@tenon/mcp-server';
import { onTestFinished } from 'vitest';
import { fromOpenApi, type OpenApiOptions, type OpenApiTools } from '../src/index.js';

/** A request that the API received. */
export interface Received {
  readonly method: string;
  /** The path with its query, as it was sent. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** The response of the API. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** An API that answers each request in the same way until `answer` changes. */
export interface Api {
  readonly url: string;
  readonly received: Received[];
  answer: Answer | ((request: Received) => Answer);
}

/** Starts an API at a free port of this machine. Texts and bytes are sent as they are, other bodies as JSON. */
export async function startApi(): Promise<Api> {
  const received: Received[] = [];
  const server = createHttpServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    const one = { method, url, headers, body: Buffer.concat(chunks) };
    received.push(one);
    const {
      status = 200,
      headers: own,
      body,
    } = typeof api.answer === 'function' ? api.answer(one) : api.answer;
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    response.writeHead(status, { 'content-type': isRaw ? 'text/plain' : 'application/json', ...own });
    response.end(isRaw || body === undefined ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const api: Api = { url: `http://127.0.0.1:${port}`, received, answer: { body: {} } };
  return api;
}

/** A document of 3.1 with these members. */
export function documentOf(paths: object, more: object = {}): object {
  return { openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths, ...more };
}

/** Tools of a document, in a server with a client. */
export interface Served {
  readonly tools: OpenApiTools;
  readonly client: Client;
  /** Returns the tools as the client lists them. */
  list(): Promise<readonly Tool[]>;
  /** Calls a tool. Returns the text of its result, after `error: ` if it failed. */
  call(name: string, input?: Record<string, unknown>): Promise<string>;
}

/** Serves the tools of a document to a client. */
export async function serve(document: string | object, options: OpenApiOptions): Promise<Served> {
  const tools = fromOpenApi(document, options);
  const errors: unknown[] = [];
  const server = createServer({ name: 'api', version: '1.0.0' }, { onError: (error) => errors.push(error) });
  tools.register(server);
  const client = (await connectMemory(server, { info: { name: 'test', version: '1.0.0' } })) as Client;
  onTestFinished(() => client.close());
  return {
    tools,
    client,
    async list() {
      const listed: Tool[] = [];
      for await (const tool of client.tools()) listed.push(tool);
      return listed;
    },
    async call(name, input = {}) {
      const { content, isError } = await client.callTool(name, input);
      return `${isError === true ? 'error: ' : ''}${textOf(content)}`;
    },
  };
}
