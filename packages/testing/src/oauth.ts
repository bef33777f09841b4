import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { detach } from '@tenon/mcp-protocol/internal';
import { Authority } from './oauth/authority/authority.js';
import { SigningKeys } from './oauth/authority/signing-keys.js';
import { RequestLog } from './oauth/http/request-log.js';
import { requireServerOptions } from './oauth/options/checks.js';
import type {
  TestAuthorizationLimits,
  TestAuthorizationServer,
  TestAuthorizationServerOptions,
} from './oauth/options/test-authorization-server.js';
import { routesFor } from './oauth/routes.js';
import { RunningServer } from './oauth/running-server.js';
import { serveRequest } from './oauth/serving.js';

export { type HookAnswer, oauthError, type TestAnswer } from './oauth/http/answer.js';
export type {
  RecordedAuthorizationRequest,
  RecordedRequest,
  TestEndpoint,
  TokenRequest,
} from './oauth/http/recorded-request.js';
export type {
  AuthorizationBehaviour,
  ClaimsSubject,
  DiscoveryForm,
  LifetimeOptions,
  ScopeRequest,
  TestClient,
  TestClientAuthMethod,
  TrustedIssuer,
} from './oauth/options/behaviour.js';
export type {
  TestAuthorizationLimits,
  TestAuthorizationServer,
  TestAuthorizationServerOptions,
} from './oauth/options/test-authorization-server.js';
export type { TestSignature, TokenToIssue } from './oauth/options/token-to-issue.js';
export {
  type ScriptedBrowser,
  type ScriptedBrowserOptions,
  scriptedBrowser,
} from './oauth/scripted-browser.js';

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
  const authority = new Authority({ issuer, behaviour, keys, now, entries, fetching });
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
