import { createServer, Server as HttpServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer, Server as HttpsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { onTestFinished, vi } from 'vitest';
import { tlsIdentity } from '../../../../tooling/suite/services/tls-identity.js';

/** A server on this machine that runs until the end of the test. */
export interface TestServer {
  readonly origin: string;
  readonly port: number;
  /** The requests, such as `GET /x`. */
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

/** Starts a TLS server on 127.0.0.1 with a certificate for mcp.example and auth.example. */
export async function startTlsServer(answer: RequestListener): Promise<TestServer> {
  const asked: string[] = [];
  const server = createTlsServer(tlsIdentity, (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  const port = await listen(server);
  return { origin: `https://mcp.example:${port}`, port, asked };
}

/** Makes TLS accept self-signed certificates until the end of the test. */
export function trustTestCertificates(): void {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  // Node prints a warning once; here it is intended.
  const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  onTestFinished(() => {
    vi.unstubAllEnvs();
    warnings.mockRestore();
  });
}

/** Makes a server listen on a free port of 127.0.0.1 until the end of the test. */
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
