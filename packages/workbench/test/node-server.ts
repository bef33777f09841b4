import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Identity } from './certificate.js';

/** Starts a server on 127.0.0.1 until the end of the test. @returns its origin. */
export async function startNodeServer(answer: RequestListener, identity?: Identity): Promise<string> {
  const server = identity === undefined ? createServer(answer) : createTlsServer({ ...identity }, answer);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return `${identity === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;
}

/** Returns a port of 127.0.0.1 where nothing listens. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}
