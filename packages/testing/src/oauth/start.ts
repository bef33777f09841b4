import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { detach } from '@tenon/mcp-protocol/internal';
import { RequestLog } from './http/request-log.js';
import { routesFor } from './http/routes.js';
import { serveRequest } from './http/serving.js';
import { MemoryAuthority } from './memory-authority.js';
import { requireServerOptions } from './options/checks.js';
import { RunningServer } from './running-server.js';
import type {
  TestAuthorizationLimits,
  TestAuthorizationServer,
  TestAuthorizationServerOptions,
} from './test-authorization-server.js';
import { SigningKeys } from './tokens/signing-keys.js';

const defaultLimits: Required<TestAuthorizationLimits> = {
  requests: 1_000,
  entries: 10_000,
  bodyBytes: 65_536,
  documentBytes: 65_536,
  documentTime: 5_000,
};

/**
 * Starts an authorization server in memory, for tests and demonstrations only: any user can sign in under any name. Listens
 * on 127.0.0.1.
 * @throws TypeError or RangeError if an option is invalid; rejects if it cannot listen
 */
export async function startTestAuthorizationServer(
  options: TestAuthorizationServerOptions = {},
): Promise<TestAuthorizationServer> {
  requireServerOptions(options);
  const { host = '127.0.0.1', port = 0, path = '', clients = [], limits, ...others } = options;
  const { now = Date.now, fetch = globalThis.fetch, rest, ...behaviour } = others;
  const { requests, entries, bodyBytes, documentBytes, documentTime } = { ...defaultLimits, ...limits };
  const keys = await SigningKeys.create();
  const server = createServer({ requestTimeout: 30_000 });
  const issuer = `http://${host}:${await listening(server, port)}${path}`;
  const fetching = { fetch, bytes: documentBytes, time: documentTime };
  const authority = new MemoryAuthority({ issuer, behaviour, keys, now, entries, fetching });
  for (const client of clients) authority.registry.clients.set(client.clientId, client);
  const log = new RequestLog(requests);
  const parts = { authority, routes: routesFor(path), log, bodyBytes, rest };
  server.on('request', (request, response) =>
    detach(serveRequest(request, response, parts), () => response.destroy()),
  );
  return new RunningServer(authority, log, server);
}

async function listening(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}
