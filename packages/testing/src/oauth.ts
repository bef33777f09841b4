import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { detach } from '@tenon/foundation';
import { Authority } from './oauth/authority.js';
import { serveRequest } from './oauth/serving.js';
import { requireServerOptions } from './oauth/settings.js';
import { newSigningKey, type SigningKey } from './oauth/signed-jwt.js';
import type {
  TestAuthorizationServer,
  TestAuthorizationServerOptions,
  TokenToIssue,
} from './oauth/test-authorization-server.js';
import { mintToken } from './oauth/tokens.js';

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
export {
  type HookAnswer,
  oauthError,
  type RecordedAuthorizationRequest,
  type RecordedRequest,
  type TestAnswer,
  type TestEndpoint,
  type TokenRequest,
} from './oauth/messages.js';
export {
  type ScriptedBrowser,
  type ScriptedBrowserOptions,
  scriptedBrowser,
} from './oauth/scripted-browser.js';
export type {
  TestAuthorizationServer,
  TestAuthorizationServerOptions,
  TestSignature,
  TokenToIssue,
} from './oauth/test-authorization-server.js';

/**
 * Starts an authorization server in memory, for tests and demonstrations only: any user can sign in under any name. Listens
 * on 127.0.0.1.
 * @throws TypeError or RangeError if an option is invalid; rejects if it cannot listen
 */
export async function startTestAuthorizationServer(
  options: TestAuthorizationServerOptions = {},
): Promise<TestAuthorizationServer> {
  requireServerOptions(options);
  const key = await newSigningKey();
  const server = createServer({ requestTimeout: 30_000 });
  await listening(server, options.port ?? 0);
  const authority = new RunningServer(options, key, server);
  server.on('request', (request, response) =>
    detach(serveRequest(request, response, authority), () => response.destroy()),
  );
  return authority;
}

/** The running server, as a test uses it. */
class RunningServer extends Authority implements TestAuthorizationServer {
  readonly #server: Server;
  #closing: Promise<void> | undefined;

  constructor(options: TestAuthorizationServerOptions, key: SigningKey, server: Server) {
    super(options, key, (server.address() as AddressInfo).port);
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

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}
