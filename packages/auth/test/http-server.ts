import { createServer, Server as HttpServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer, Server as HttpsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { onTestFinished, vi } from 'vitest';
import { tlsIdentity } from './tls-identity.js';

/** A server on this machine that lives as long as the test that started it. */
export interface TestServer {
  readonly origin: string;
  readonly port: number;
  /** What was asked of it, such as `GET /x`. */
  readonly asked: string[];
}

/** Starts a server on 127.0.0.1. */
export async function startServer(answer: RequestListener): Promise<TestServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  const port = await listen(server);
  return { origin: `http://127.0.0.1:${port}`, port, asked };
}

/** Starts a server on 127.0.0.1 that says over TLS that it is mcp.example and auth.example. */
export async function startTlsServer(answer: RequestListener): Promise<TestServer> {
  const asked: string[] = [];
  const server = createTlsServer(tlsIdentity, (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  const port = await listen(server);
  return { origin: `https://mcp.example:${port}`, port, asked };
}

/** Has certificates count that nobody has signed, until the test is over. */
export function trustTestCertificates(): void {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  // Node warns of it once; here it is meant.
  const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  onTestFinished(() => {
    vi.unstubAllEnvs();
    warnings.mockRestore();
  });
}

/** Has a server listen on a free port of 127.0.0.1 until the test is over. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    if (server instanceof HttpServer || server instanceof HttpsServer) server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
