import { type OptionRule, optionRules, requireOptions } from '@tenon/mcp-session/internal';
import { AuthError } from '../auth-error.js';
import { AuthorizationCodeGrant } from './authorization-code.js';
import { readAuthorizationResponse } from './authorization-response.js';
import {
  type ClientIdentity,
  type ClientMetadata,
  clientMetadataRules,
  type RegisteredClient,
  requireClientIdentity,
} from './client-identity.js';
import type { ClientKey } from './client-information.js';
import { dpopSigner } from './dpop.js';
import type { Interaction } from './interaction.js';
import { OauthProvider } from './oauth-provider.js';
import type { PendingSignIn } from './pending-sign-ins.js';
import { type ProviderOptions, requireProviderOptions } from './provider-options.js';
import type { RefusedScopes } from './refused-scopes.js';
import { isUnknownClient } from './token-granting.js';

/** Who the application is to the authorization servers it meets. */
export interface OauthClient extends Omit<ClientMetadata, 'scopes'> {
  /**
   * https address of the client's metadata document: its id wherever that is taken. Serve what `clientMetadataDocument` makes
   * there.
   */
  readonly metadataUrl?: string;
  /** The key whose public part stands in that document. */
  readonly metadataKey?: ClientKey;
  /** Clients that were registered by hand, one for each issuer. */
  readonly registered?: readonly RegisteredClient[];
  /**
   * Registers by itself where nothing else is possible. By default unless clients were registered by hand: then a server that
   * moves to another authorization server is told of, with `not-registered`.
   */
  readonly register?: boolean;
}

/** How users sign in. */
export interface OauthOptions extends ProviderOptions {
  readonly client: OauthClient;
  /** Brings a user to the authorization server and back: `desktopInteraction(...)` on a desktop, `webInteraction(...)` on the web. */
  readonly interaction: Interaction;
  /** Asks for refresh tokens where that takes a scope of its own (`offline_access`); true by default. */
  readonly offlineAccess?: boolean;
}

/** What came of a sign-in that was finished. */
export interface FinishedSignIn {
  /** Address of the server it was for; undefined where the sign-in was waited for in this process. */
  readonly server: string | undefined;
}

const { scopes: _, ...describing } = clientMetadataRules;

const clientRules: { readonly [Name in keyof Required<OauthClient>]: OptionRule } = {
  ...describing,
  metadataUrl: optionRules.text,
  metadataKey: optionRules.object,
  registered: { is: 'a list of clients', allows: Array.isArray },
  register: optionRules.flag,
};

/**
 * Lets users sign in at whatever servers a client connects to: `connect(url, { auth: oauth({ ... }) })`.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 * @throws TypeError or RangeError for options that cannot work.
 */
export function oauth(options: OauthOptions): UserProvider {
  requireProviderOptions('oauth()', options, {
    client: optionRules.object,
    interaction: optionRules.object,
    offlineAccess: optionRules.flag,
  });
  const { client, interaction, account } = options;
  if (client === undefined) throw new TypeError('oauth(): client is missing, such as { name: "My agent" }.');
  requireOptions('oauth(): client', client, clientRules);
  if (client.name === undefined) throw new TypeError('oauth(): client.name is missing: users are shown it.');
  if (typeof interaction?.begin !== 'function') {
    throw new TypeError(
      'oauth(): interaction is missing: desktopInteraction() of @tenon/mcp-auth/desktop, or webInteraction(...).',
    );
  }
  const isShared = options.store !== undefined && interaction.finish !== undefined;
  if (account === undefined && (isShared || interaction.deferred !== undefined)) {
    throw new TypeError(
      'oauth(): account is missing. Users of a web application share its store: say whose tokens these are, such as the id of the session or of the user.',
    );
  }
  const identity = identityOf(client);
  requireClientIdentity('oauth(): client', identity);
  const grant = new AuthorizationCodeGrant({ identity, interaction, account });
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

/** What {@link UserProvider} is made of. */
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
    super({ grant, options, offlineAccess });
    this.#grant = grant;
    this.#interaction = options.interaction;
  }

  /**
   * Finishes a sign-in of a web application, when its page is called that the user is sent back to.
   * @param response - the address of that page as it was called, its query included; a path is enough.
   * @throws AuthError `bad-response` for what answers no sign-in of this browser's session, `denied`, and what obtaining
   * tokens throws; TypeError for an address that is none, and where the interaction knows by itself when users come back.
   */
  async finish(response: URL | string): Promise<FinishedSignIn> {
    const interaction = this.#interaction;
    const url = new URL(response, interaction.redirectUris[0]);
    if (interaction.deferred === undefined) {
      if (interaction.finish === undefined)
        throw new TypeError('This interaction knows by itself when users come back.');
      await interaction.finish(url);
      return { server: undefined };
    }
    const pending = await this.#grant.take(url, { store: this.store, clock: this.clock });
    const { tokens, granting, discovery, refused } = this.entry(new URL(pending.target));
    const code = readResponse(url, { pending, refused });
    const server = await discovery.issuerOf(pending);
    const key = pending.dpopKey;
    const dpop = key === undefined ? undefined : await dpopSigner({ key, clock: this.clock });
    const { issuer, clientId, resource, assumed, mayBeUnbound, target } = pending;
    try {
      const tools = { ...granting.tools(dpop), mayBeUnbound };
      const got = await this.#grant.redeem({ ...pending, code }, server, tools);
      await tokens.accept({ issuer, clientId, resource, assumed }, got);
      return { server: target };
    } catch (error) {
      // The next sign-in registers anew.
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
