import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Returns the result of a request; throws for an error, and returns undefined to break the connection. */
export type RawAnswer = (method: string, params: { readonly cursor?: string }) => object | undefined;

/** A server that answers what a test wants, in the last revision with a handshake. */
export interface RawServer extends AsyncDisposable {
  readonly url: string;
}

/** Starts a server over Streamable HTTP. It answers `initialize` itself, with the capabilities. */
export async function startRawServer(capabilities: object, answer: RawAnswer): Promise<RawServer> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const { id, method, params = {} } = JSON.parse(text);
    if (id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const body = bodyOf(() => (method === 'initialize' ? welcome(capabilities) : answer(method, params)));
    if (body === undefined) {
      response.destroy();
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/mcp`, [Symbol.asyncDispose]: () => stop(server) };
}

function welcome(capabilities: object): object {
  const serverInfo = { name: 'raw', version: '1.0.0' };
  return { protocolVersion: '2025-11-25', capabilities, serverInfo };
}

function bodyOf(answer: () => object | undefined): object | undefined {
  try {
    const result = answer();
    return result === undefined ? undefined : { result };
  } catch (error) {
    return {
      error: { code: (error as { code?: number }).code ?? -32603, message: (error as Error).message },
    };
  }
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
