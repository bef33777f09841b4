import { type OptionRule, optionRules, requireOptions } from '@tenon/foundation';
import { AuthError } from '../auth-error.js';
import type { ClientKey } from '../oauth/client-information.js';
import { dpopSigner } from '../oauth/dpop.js';
import type { Interaction } from '../oauth/interaction.js';
import {
  type ClientIdentity,
  type ClientMetadata,
  clientMetadataRules,
  type RegisteredClient,
  requireClientIdentity,
} from '../registration/client-identity.js';
import { AuthorizationCodeGrant } from '../sign-in/authorization-code.js';
import { readAuthorizationResponse } from '../sign-in/authorization-response.js';
import type { PendingSignIn } from '../sign-in/pending-sign-ins.js';
import type { RefusedScopes } from '../tokens/refused-scopes.js';
import { isUnknownClient } from '../tokens/token-granting.js';
import { OauthProvider } from './oauth-provider.js';
import { type ProviderOptions, requireProviderOptions } from './provider-options.js';

/** The client ids of the application at authorization servers, or its metadata to obtain them. */
export interface OauthClient extends Omit<ClientMetadata, 'scopes'> {
  /**
   * https URL of the client id metadata document: the client id at authorization servers that support it. Serve the document of
   * `clientMetadataDocument` there.
   */
  readonly metadataUrl?: string;
  /** The private key for the public key in that document. */
  readonly metadataKey?: ClientKey;
  /** Clients that are already registered, at most one for each issuer. */
  readonly registered?: readonly RegisteredClient[];
  /**
   * True to register dynamically if nothing else is possible. Default: true unless `registered` is set; a server that moves to
   * another authorization server then fails with `not-registered`.
   */
  readonly register?: boolean;
}

/** Options of {@link oauth}. */
export interface OauthOptions extends ProviderOptions {
  readonly client: OauthClient;
  /**
   * Sends the user to the authorization server: `desktopInteraction(...)` on a desktop or with a code on another device,
   * `webInteraction(...)` on the web.
   */
  readonly interaction: Interaction;
  /**
   * True to request refresh tokens with the scope `offline_access` where authorization servers list it; default: true. `consent`
   * also has the user asked for consent each time (`prompt=consent`): some OpenID providers issue refresh tokens only then, and
   * others refuse it to users who may not consent.
   */
  readonly offlineAccess?: boolean | 'consent';
}

/** The result of {@link UserProvider.finish}. */
export interface FinishedSignIn {
  /** The URL of the server; undefined if a request in this process waits for the sign-in. */
  readonly server: string | undefined;
}

/** The rule of the option `offlineAccess`. */
export const offlineRule: OptionRule = {
  is: 'true, false or "consent"',
  allows: (value) => typeof value === 'boolean' || value === 'consent',
};

const { scopes: _, ...describing } = clientMetadataRules;

const clientRules: { readonly [Name in keyof Required<OauthClient>]: OptionRule } = {
  ...describing,
  metadataUrl: optionRules.text,
  metadataKey: optionRules.object,
  registered: { is: 'a list of clients', allows: Array.isArray },
  register: optionRules.flag,
};

/**
 * Returns a provider that signs users in at the servers that a client connects to: `connect(url, { auth: oauth({ ... }) })`.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 * @throws TypeError or RangeError if an option is invalid.
 */
export function oauth(options: OauthOptions): UserProvider {
  requireProviderOptions('oauth()', options, {
    client: optionRules.object,
    interaction: optionRules.object,
    offlineAccess: offlineRule,
  });
  const { client, interaction, account, allow, offlineAccess } = options;
  if (client === undefined) throw new TypeError('oauth(): client is missing, such as { name: "My agent" }.');
  requireOptions('oauth(): client', client, clientRules);
  if (client.name === undefined)
    throw new TypeError('oauth(): client.name is missing; authorization servers show it to users.');
  if (typeof interaction?.begin !== 'function') {
    throw new TypeError(
      'oauth(): interaction is missing: pass desktopInteraction() of @tenon/mcp-auth/desktop, or webInteraction(...).',
    );
  }
  const isShared = options.store !== undefined && interaction.finish !== undefined;
  if (account === undefined && (isShared || interaction.deferred !== undefined)) {
    throw new TypeError(
      'oauth(): account is missing. Users of a web application share its store: set the owner of these tokens, such as the id of the session or of the user.',
    );
  }
  const identity = identityOf(client);
  requireClientIdentity('oauth(): client', identity);
  const grant = new AuthorizationCodeGrant({
    ...{ identity, interaction, account, allow },
    asksConsent: offlineAccess === 'consent',
  });
  return new UserProvider({ grant, options });
}

function identityOf({
  metadataUrl,
  metadataKey,
  registered,
  register,
  ...dynamic
}: OauthClient): ClientIdentity {
  const isRegistering = register ?? registered === undefined;
  return { registered, metadataUrl, metadataKey, dynamic: isRegistering ? dynamic : undefined };
}

export interface UserProviderParts {
  readonly grant: AuthorizationCodeGrant;
  readonly options: OauthOptions;
}

/** Authorizes requests for users who sign in. */
export class UserProvider extends OauthProvider {
  readonly #grant: AuthorizationCodeGrant;
  readonly #interaction: Interaction;

  constructor({ grant, options }: UserProviderParts) {
    const { offlineAccess = true } = options;
    super({ grant, options, offlineAccess: offlineAccess !== false });
    this.#grant = grant;
    this.#interaction = options.interaction;
  }

  /**
   * Finishes a sign-in of a web application. Call it when the user is redirected back to the application.
   * @param response - the URL of that request, with its query; a path is enough.
   * @throws AuthError `bad-response` if the response belongs to no sign-in of this browser session, `denied`, or the error of
   * the token request; TypeError for an invalid URL, and if the interaction receives the redirect itself.
   */
  async finish(response: URL | string): Promise<FinishedSignIn> {
    const interaction = this.#interaction;
    const url = new URL(response, interaction.redirectUris[0]);
    if (interaction.deferred === undefined) {
      if (interaction.finish === undefined)
        throw new TypeError(
          'finish() is for web applications: this interaction receives the redirect itself.',
        );
      await interaction.finish(url);
      return { server: undefined };
    }
    const pending = await this.#grant.take(url, { store: this.store, clock: this.clock });
    const { tokens, granting, discovery, refused } = this.entry(new URL(pending.target));
    const { issuer, clientId, resource, assumed, mayBeUnbound, target } = pending;
    const server = await discovery.issuerOf(pending);
    const key = pending.dpopKey;
    const dpop = key === undefined ? undefined : await dpopSigner({ key, clock: this.clock });
    try {
      const code = readResponse(url, { pending, refused });
      const tools = { ...granting.tools(dpop), mayBeUnbound };
      const got = await this.#grant.redeem({ ...pending, code }, server, tools);
      await tokens.accept({ issuer, clientId, resource, assumed }, got);
      return { server: target };
    } catch (error) {
      // The next sign-in registers the client again.
      if (isUnknownClient(error)) await granting.forget(server, { clientId });
      throw error;
    }
  }
}

function readResponse(
  url: URL,
  { pending, refused }: { readonly pending: PendingSignIn; readonly refused: RefusedScopes },
): string {
  try {
    return readAuthorizationResponse(url, pending);
  } catch (error) {
    if (error instanceof AuthError) refused.rememberDenial(pending.issuer, pending.scopes, error);
    throw error;
  }
}
