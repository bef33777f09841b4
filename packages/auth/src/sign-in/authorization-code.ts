import { AuthError, changedError } from '../auth-error.js';
import type { AuthorizationServer } from '../discovery/authorization-server.js';
import type { ClientInformation } from '../oauth/client-information.js';
import type { Grant, GrantCall, GrantRequest, GrantTools } from '../oauth/grant.js';
import { type DeferredSignIns, type Interaction, runInteraction, type SignIn } from '../oauth/interaction.js';
import { randomId } from '../oauth/secrets.js';
import { requestTokens } from '../oauth/token-endpoint.js';
import type { TokenSet } from '../oauth/token-set.js';
import type { ClientIdentity } from '../registration/client-identity.js';
import {
  type ClientRequest,
  forgetRegistration,
  isDynamic,
  knownClient,
  obtainClient,
} from '../registration/registration.js';
import { deviceGrantType } from '../registration/registration-metadata.js';
import { requireKnownClient } from './authorization-check.js';
import { authorizationUrl, createPkce, requirePkce } from './authorization-request.js';
import { readAuthorizationResponse } from './authorization-response.js';
import { deviceEndpoint, deviceTokens, requestDeviceCode } from './device-code.js';
import { type PendingSignIn, PendingSignIns } from './pending-sign-ins.js';

export interface AuthorizationCodeParts {
  readonly identity: ClientIdentity;
  readonly interaction: Interaction;
  /** The owner of the sign-ins, if several users share the store. */
  readonly account?: string | undefined;
  /** Hosts or origins of authorization servers that are trusted although they are not https. */
  readonly allow?: readonly string[] | undefined;
  /** True to send `prompt=consent` with requests for `offline_access`. */
  readonly asksConsent?: boolean | undefined;
}

/**
 * The grant of a user who signs in: the authorization code flow with PKCE, or the device flow if the interaction has `device`.
 * Both have the same `type`, so that they share stored tokens.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#authorization-flow-steps
 */
export class AuthorizationCodeGrant implements Grant {
  readonly type = 'authorization_code';
  readonly interactive = true;
  readonly #parts: AuthorizationCodeParts;

  constructor(parts: AuthorizationCodeParts) {
    this.#parts = parts;
  }

  client(
    server: AuthorizationServer,
    tools: GrantTools,
    scopes?: readonly string[],
  ): Promise<ClientInformation> {
    // Nothing is registered for a sign-in that cannot begin.
    if (this.#parts.interaction.device !== undefined) deviceEndpoint(server);
    return obtainClient({ ...this.#clientRequests(server, tools)[0], scopes });
  }

  known(
    server: AuthorizationServer,
    tools: GrantTools,
    clientId?: string,
  ): Promise<ClientInformation | undefined> {
    const [own, other] = this.#clientRequests(server, tools);
    return knownClient(own, clientId, other);
  }

  async forget(
    server: Pick<AuthorizationServer, 'issuer'>,
    client: Pick<ClientInformation, 'clientId'> | undefined,
    tools: GrantTools,
  ): Promise<boolean> {
    const [own, other] = this.#clientRequests(server, tools);
    await forgetRegistration(other, client?.clientId);
    return forgetRegistration(own, client?.clientId);
  }

  async obtain(request: GrantRequest, client: ClientInformation, tools: GrantTools): Promise<TokenSet> {
    const { interaction, allow } = this.#parts;
    const { server, resource, scopes } = request;
    if (interaction.device !== undefined) {
      const issued = await requestDeviceCode({ request, client, tools }, { ...interaction.device, allow });
      return deviceTokens(issued, { request, client, tools }, interaction.device).catch((error: unknown) => {
        throw permanentError(error);
      });
    }
    requirePkce(server);
    requireEndpoints(server);
    if (interaction.deferred !== undefined)
      return this.#defer(interaction.deferred, { request, client, tools });
    const { redirectUris } = client;
    const subject = { resource, issuer: server.issuer, scopes: scopes ?? [], redirectUris };
    const signIn = await runInteraction(tools, async () => interaction.begin(subject));
    try {
      const tokens = await this.#signedIn(signIn, { request, client, tools });
      await endSignIn(signIn);
      return tokens;
    } catch (error) {
      await endSignIn(signIn, error);
      throw permanentError(error);
    }
  }

  /** Removes and returns the pending sign-in of a response. @throws AuthError; TypeError if the interaction defers none. */
  take(response: URL, tools: Pick<GrantTools, 'store' | 'clock'>): Promise<PendingSignIn> {
    const { deferred } = this.#parts.interaction;
    if (deferred === undefined) throw new TypeError('This interaction has no deferred sign-ins.');
    return this.#pending(deferred, tools).take(response);
  }

  /** Exchanges the code of a pending sign-in for tokens. @throws AuthError */
  async redeem(
    { code, ...pending }: PendingSignIn & { readonly code: string },
    server: AuthorizationServer,
    tools: GrantTools,
  ): Promise<TokenSet> {
    const client = await this.known(server, tools);
    if (client?.clientId !== pending.clientId) {
      throw new AuthError(
        'not-registered',
        'The client id has changed since the sign-in started: start it again.',
      );
    }
    const { resource, scopes } = pending;
    return exchange({ ...pending, code }, { request: { server, resource, scopes }, client, tools });
  }

  async #signedIn(signIn: SignIn, flow: GrantCall): Promise<TokenSet> {
    const { request, client, tools } = flow;
    const { server } = request;
    const { redirectUri } = signIn;
    await this.#check(redirectUri, flow);
    const { url, state, verifier } = await this.#authorization(redirectUri, flow);
    const response = await runInteraction(tools, () =>
      signIn.authorize({ url, state, signal: tools.signal }),
    );
    const { issuer, issInResponse } = server;
    const code = readAuthorizationResponse(response, { state, issuer, issInResponse });
    return exchange({ code, verifier, redirectUri }, { request, client, tools });
  }

  /** Returns an authorization request, with a state and a code verifier of its own. */
  async #authorization(
    redirectUri: string,
    { request, client: { clientId } }: GrantCall,
  ): Promise<{ readonly url: URL; readonly state: string; readonly verifier: string }> {
    const { asksConsent } = this.#parts;
    const { verifier, challenge } = await createPkce();
    const state = randomId();
    const asked = { clientId, redirectUri, state, challenge, asksConsent };
    return { url: authorizationUrl(request.server, { ...request, ...asked }), state, verifier };
  }

  /** Rejects a stored client that its authorization server has forgotten; {@link TokenGranting} then registers another. */
  async #check(redirectUri: string, flow: GrantCall): Promise<void> {
    const { request, client, tools } = flow;
    const isStored = isDynamic(this.#clientRequests(request.server, tools)[0], client.clientId);
    if (!isStored || tools.isNewClient === true) return;
    const { url } = await this.#authorization(redirectUri, flow);
    await requireKnownClient(url, tools);
  }

  async #defer(deferred: DeferredSignIns, flow: GrantCall): Promise<never> {
    const { request, client, tools } = flow;
    const { server, resource, scopes, target } = request;
    const [redirectUri] = this.#parts.interaction.redirectUris;
    if (redirectUri === undefined || target === undefined)
      throw new TypeError('A sign-in needs a redirect URI and the URL of a server.');
    const { issuer, assumed, issInResponse } = server;
    const wanted = {
      ...{ target: target.href, issuer, assumed, issInResponse, clientId: client.clientId },
      ...{ resource, redirectUri, scopes, mayBeUnbound: tools.mayBeUnbound === true },
    };
    const url = await this.#pending(deferred, tools).begin(wanted, async () => {
      await this.#check(redirectUri, flow);
      const { state, verifier, url: at } = await this.#authorization(redirectUri, flow);
      return { state, verifier, url: at.href, dpopKey: tools.dpop?.key };
    });
    throw new AuthError(
      'sign-in-needed',
      `The user has to sign in for ${target.origin}: send them to the authorizationUrl of this error, and pass the URL they return with to finish().`,
      { authorizationUrl: url },
    );
  }

  #pending(deferred: DeferredSignIns, { store, clock }: Pick<GrantTools, 'store' | 'clock'>): PendingSignIns {
    return new PendingSignIns({ store, clock, deferred, account: this.#parts.account });
  }

  /** Returns the registration for this way of the sign-in, and the one for the other way. */
  #clientRequests<Server extends Pick<AuthorizationServer, 'issuer'>>(
    server: Server,
    tools: GrantTools,
  ): readonly [WayToRegister<Server>, WayToRegister<Server>] {
    const { identity, interaction } = this.#parts;
    const { applicationType, device } = interaction;
    const withCode = { server, identity, grantType: this.type, interaction, tools };
    const redirectless = { redirectUris: [], applicationType };
    const onDevice = { ...withCode, grantType: deviceGrantType, interaction: redirectless };
    return device === undefined ? [withCode, onDevice] : [onDevice, withCode];
  }
}

type WayToRegister<Server> = Omit<ClientRequest, 'server'> & { readonly server: Server };

interface Redemption {
  readonly code: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

async function exchange(
  { code, verifier, redirectUri }: Redemption,
  { request, client, tools }: GrantCall,
): Promise<TokenSet> {
  const { server, resource, scopes } = request;
  const params = {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
    resource,
  };
  const tokens = await requestTokens({ server, client, params, asked: scopes, tools });
  return { ...tokens, requested: scopes };
}

function requireEndpoints({ authorizationEndpoint, tokenEndpoint }: AuthorizationServer): void {
  if (authorizationEndpoint !== undefined && tokenEndpoint !== undefined) return;
  const lacks = authorizationEndpoint === undefined ? 'authorization_endpoint' : 'token_endpoint';
  throw new AuthError('unsupported', `The authorization server has no ${lacks}: users cannot sign in there.`);
}

/** Returns the error as a permanent one: the user has been prompted, and must not be prompted again by a retry. */
function permanentError(error: unknown): unknown {
  if (!(error instanceof AuthError) || error.permanent) return error;
  return changedError(error, { permanent: true });
}

/** Ends a sign-in. Errors are ignored, because its result is known by then. */
async function endSignIn(signIn: SignIn, failure?: unknown): Promise<void> {
  try {
    await (failure === undefined ? signIn.end() : signIn.end(failure));
  } catch {
    // The result of the sign-in stays the same.
  }
}
