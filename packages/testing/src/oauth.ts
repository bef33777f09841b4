import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { detach } from '@tenon/mcp-protocol/internal';
import { Authority, type AuthorityParts } from './oauth/authority/authority.js';
import { newSigningKey } from './oauth/authority/signed-jwt.js';
import { endpointsAt } from './oauth/endpoints.js';
import { mintToken } from './oauth/grants/tokens.js';
import { requireServerOptions } from './oauth/options/settings.js';
import type {
  TestAuthorizationLimits,
  TestAuthorizationServer,
  TestAuthorizationServerOptions,
} from './oauth/options/test-authorization-server.js';
import type { TokenToIssue } from './oauth/options/token-to-issue.js';
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
  const { bodyBytes, documentBytes, documentTime, ...most } = { ...defaultLimits, ...limits };
  const key = await newSigningKey();
  const server = createServer({ requestTimeout: 30_000 });
  const issuer = `http://${host}:${await listening(server, port)}${path}`;
  const fetching = { fetch, bytes: documentBytes, time: documentTime };
  const authority = new RunningServer({ issuer, behaviour, key, now, most, fetching }, server);
  for (const client of clients) authority.addClient(client);
  const parts = { authority, endpoints: endpointsAt(path), bodyBytes, rest };
  server.on('request', (request, response) =>
    detach(serveRequest(request, response, parts), () => response.destroy()),
  );
  return authority;
}

/** The running server, as a test uses it. */
class RunningServer extends Authority implements TestAuthorizationServer {
  readonly #server: Server;
  #closing: Promise<void> | undefined;

  constructor(parts: AuthorityParts, server: Server) {
    super(parts);
    this.#server = server;
  }

  issueToken(token: TokenToIssue = {}): Promise<string> {
    return mintToken(token, this);
  }

  close(): Promise<void> {
    this.#closing ??= new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
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
