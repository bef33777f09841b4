import type { JsonObject } from '@tenon/mcp-protocol';
import type { JSONWebKeySet } from 'jose';
import type {
  HookAnswer,
  RecordedAuthorizationRequest,
  RecordedRequest,
  TestAnswer,
  TokenRequest,
} from './messages.js';

/**
 * The paths of the metadata: RFC 8414 (inserted before the issuer's path), OpenID Connect inserted, and OpenID Connect
 * appended.
 */
export type DiscoveryForm = 'oauth' | 'oidc-inserted' | 'oidc-appended';

/** Lifetimes of codes and tokens, in milliseconds. */
export interface LifetimeOptions {
  /** Default 60,000. */
  readonly code?: number;
  /** Default 3,600,000. */
  readonly accessToken?: number;
  /** Default 86,400,000. */
  readonly refreshToken?: number;
  /** Default 3,600,000. */
  readonly idToken?: number;
  /** Of an ID-JAG. Default 300,000. */
  readonly idJag?: number;
  /** Default 600,000. */
  readonly deviceCode?: number;
}

/** An issuer, and the assertions accepted from it. */
export interface TrustedIssuer {
  readonly issuer: string;
  /** The issuer's public keys, or a function that returns them, called for each assertion. */
  readonly jwks: JSONWebKeySet | (() => JSONWebKeySet | Promise<JSONWebKeySet>);
  /**
   * `id-jag` (the default) accepts identity assertion grants of known clients; `workload` accepts any JWT for this server,
   * with or without client authentication.
   */
  readonly kind?: 'id-jag' | 'workload';
}

/** The contents of a token before it is signed, or stored if it is opaque. */
export interface ClaimsSubject {
  readonly kind: 'access' | 'id' | 'id-jag';
  readonly clientId: string | undefined;
  /** The `grant_type` of the request, or `minted` for a token from `issueToken`. */
  readonly grantType: string;
}

/** The scopes of a request, and the client and user they are for. */
export interface ScopeRequest {
  readonly clientId: string | undefined;
  /** The user; undefined if the client acts for itself. */
  readonly user: string | undefined;
  readonly grantType: string;
}

/**
 * Options for the behaviour of a test authorization server. By default it follows the specifications. An option that is
 * missing or undefined has its default.
 */
export interface AuthorizationBehaviour {
  /** The user who signs in, `deny` for one who refuses, or a function of the request that returns either. Default `user`. */
  readonly user?: string | ((request: RecordedAuthorizationRequest) => string | Promise<string>);
  /**
   * True to show a consent page with two buttons, `#allow` and `#deny`; false to answer at once. A sign-in with a device code has
   * no such page. Default false.
   */
  readonly consent?: boolean;
  /** The parameter `iss` of authorization responses; any other text is sent unchanged. Default `right`. */
  readonly iss?: 'right' | 'missing' | (string & {});
  /** The parameter `state` of authorization responses; any other text is sent unchanged. Default `right`. */
  readonly state?: 'right' | 'missing' | (string & {});
  /** The paths at which metadata is served; none if the list is empty. Default: all. */
  readonly discovery?: readonly DiscoveryForm[];
  /** Changes the metadata. */
  readonly metadata?: (document: JsonObject) => JsonObject;
  /** The supported scopes, listed in the metadata. Default: every scope. */
  readonly scopesSupported?: readonly string[];
  /** Returns the scopes to grant, given those that were requested and are allowed. */
  readonly grantScopes?: (scopes: readonly string[], request: ScopeRequest) => readonly string[];
  /** Identifiers of the known resources; others are rejected with `invalid_target`. Default: every resource. */
  readonly resources?: readonly string[];
  /**
   * Handling of the parameter `resource`: `bound` makes it the audience of tokens, `required` rejects requests without it,
   * `ignored` behaves like a server that does not support it. Default `bound`.
   */
  readonly resource?: 'bound' | 'required' | 'ignored';
  /** Audience of tokens for no resource. Default: the issuer. */
  readonly audience?: string;
  /** Accepted values of `grant_type`. Default: all. */
  readonly grantTypes?: readonly string[];
  /** Accepted client authentication methods. Default: all. */
  readonly authMethods?: readonly TestClientAuthMethod[];
  /**
   * `rotating` returns a new refresh token each time and revokes the whole family if an old one is used again; `lasting`
   * keeps the first. If `offline_access` is a supported scope, a refresh token needs it. Default `rotating`.
   */
  readonly refreshTokens?: 'rotating' | 'lasting' | 'none';
  readonly lifetimes?: LifetimeOptions;
  /** Milliseconds between two token requests with a device code; an earlier one is answered `slow_down`. Default 5,000. */
  readonly pollInterval?: number;
  /** `opaque` tokens can be read only by introspection. Default `jwt`. */
  readonly accessTokens?: 'jwt' | 'opaque';
  /** Changes the claims of any token. */
  readonly claims?: (claims: JsonObject, subject: ClaimsSubject) => JsonObject;
  /** Binding of tokens to a DPoP key: if the request has a proof, always, or never. Default `allowed`. */
  readonly dpop?: 'allowed' | 'required' | 'off';
  /** True to require a nonce in DPoP proofs, with `use_dpop_nonce`. Default false. */
  readonly dpopNonce?: boolean;
  /**
   * `by-application-type` restricts redirect URIs to those OpenID Connect allows for web and native applications; `open`
   * only records the type. Default `open`.
   */
  readonly registration?: 'open' | 'by-application-type' | 'off';
  /** Accepts the https URL of a client's metadata document as client id. Default true. */
  readonly clientIdDocuments?: boolean;
  /** Issuers with accepted assertions. Default: none. */
  readonly trustedIssuers?: readonly TrustedIssuer[];
  /** Returns the client id in an ID-JAG, given the id of the client that requests it. Default: the same id. */
  readonly idJagClient?: (clientId: string, audience: string) => string;
  /** Called for every request before the server handles it. Can delay the request, or return a response of its own. */
  readonly onRequest?: (request: RecordedRequest) => HookAnswer | Promise<HookAnswer>;
  /**
   * Called for every token request of a known client, before codes or tokens are used up. Can delay the request, or return a
   * response of its own.
   */
  readonly onToken?: (request: TokenRequest) => HookAnswer | Promise<HookAnswer>;
  /** Changes the response to a token request after the server handled it; `hang-up` loses the response. */
  readonly tokenAnswer?: (
    answer: TestAnswer,
    request: RecordedRequest,
  ) => TestAnswer | 'hang-up' | Promise<TestAnswer | 'hang-up'>;
}

/** Methods of client authentication at the token endpoint. */
export type TestClientAuthMethod = 'none' | 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt';

/** A client registered with a test authorization server. */
export interface TestClient {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  /** Name on the consent page. Default: the id. */
  readonly name?: string | undefined;
  /** Allowed redirect URIs, compared as written; the port of an http URI on this machine may differ. Default: none. */
  readonly redirectUris?: readonly string[] | undefined;
  /** Default: a method that fits the client's secret (in either form) or keys, else `none`. */
  readonly authMethod?: TestClientAuthMethod | undefined;
  /** Public keys that verify the client's assertions. */
  readonly jwks?: JSONWebKeySet | undefined;
  /** Values of `grant_type` the client may use. Default: all. */
  readonly grantTypes?: readonly string[] | undefined;
  /** Scopes the client may request. Default: all. */
  readonly scopes?: readonly string[] | undefined;
  /** The application type from the registration. */
  readonly applicationType?: string | undefined;
  /** True if the client's tokens must be bound to a key by DPoP. */
  readonly dpopBound?: boolean | undefined;
  /** Expiry of the secret, in milliseconds since 1970. Default: never. */
  readonly secretExpiresAt?: number | undefined;
}
