import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { detach } from '@tenon/mcp-protocol/internal';
import { Authority, type AuthorityParts } from './oauth/authority.js';
import { endpointsAt } from './oauth/endpoints.js';
import { serveRequest } from './oauth/serving.js';
import { requireServerOptions } from './oauth/settings.js';
import { newSigningKey } from './oauth/signing-keys.js';
import type {
  TestAuthorizationLimits,
  TestAuthorizationServer,
  TestAuthorizationServerOptions,
} from './oauth/test-authorization-server.js';
import type { TokenToIssue } from './oauth/token-to-issue.js';
import { mintToken } from './oauth/tokens.js';

export { type HookAnswer, oauthError, type TestAnswer } from './oauth/answer.js';
export type {
  AuthorizationBehaviour,
  ClaimsSubject,
  DiscoveryForm,
  LifetimeOptions,
  ScopeRequest,
  TestClient,
  TestClientAuthMethod,
  TrustedIssuer,
} from './oauth/behaviour.js';
export type {
  RecordedAuthorizationRequest,
  RecordedRequest,
  TestEndpoint,
  TokenRequest,
} from './oauth/recorded-request.js';
export {
  type ScriptedBrowser,
  type ScriptedBrowserOptions,
  scriptedBrowser,
} from './oauth/scripted-browser.js';
export type {
  TestAuthorizationLimits,
  TestAuthorizationServer,
  TestAuthorizationServerOptions,
} from './oauth/test-authorization-server.js';
export type { TestSignature, TokenToIssue } from './oauth/token-to-issue.js';

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
