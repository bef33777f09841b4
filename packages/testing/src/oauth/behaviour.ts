import type { JsonObject } from '@tenon/mcp-protocol';
import type { JSONWebKeySet } from 'jose';
import type { HookAnswer, TestAnswer } from './answer.js';
import type { RecordedAuthorizationRequest, RecordedRequest, TokenRequest } from './recorded-request.js';
import type { TestClientAuthMethod } from './test-client.js';

/** Addresses of the metadata: RFC 8414 (the path inserted), OpenID Connect with the path inserted, and with it in front. */
export type DiscoveryForm = 'oauth' | 'oidc-inserted' | 'oidc-appended';

/** How long what is issued lasts, in milliseconds. */
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
}

/** Whose assertions are taken for a grant. */
export interface TrustedIssuer {
  readonly issuer: string;
  /** Its public keys, or where to ask for them each time. */
  readonly jwks: JSONWebKeySet | (() => JSONWebKeySet | Promise<JSONWebKeySet>);
  /**
   * `id-jag` (the default) takes identity assertion grants of known clients; `workload` takes any JWT for this server, with
   * or without a client that says who it is.
   */
  readonly kind?: 'id-jag' | 'workload';
}

/** The contents of a token that is about to be signed, or kept where it is opaque. */
export interface ClaimsSubject {
  readonly kind: 'access' | 'id' | 'id-jag';
  readonly clientId: string | undefined;
  /** What it is issued for: the `grant_type`, or `minted` where a test asked. */
  readonly grantType: string;
}

/** Which scopes are asked for, by whom. */
export interface ScopeRequest {
  readonly clientId: string | undefined;
  /** The user, or undefined where there is none. */
  readonly user: string | undefined;
  readonly grantType: string;
}

/**
 * How a test authorization server behaves; well, unless told otherwise. What is left out, or undefined, is as by default.
 */
export interface AuthorizationBehaviour {
  /** Who signs in, `deny` for one who refuses, or a function of the request that says so. Default `user`. */
  readonly user?: string | ((request: RecordedAuthorizationRequest) => string | Promise<string>);
  /** Asks on a page with two buttons, `#allow` and `#deny`, instead of answering at once. Default false. */
  readonly consent?: boolean;
  /** The parameter `iss` of authorization responses: a text is sent as it is. Default `right`. */
  readonly iss?: 'right' | 'missing' | (string & {});
  /** The parameter `state` of authorization responses: a text is sent as it is. Default `right`. */
  readonly state?: 'right' | 'missing' | (string & {});
  /** Where metadata is served; an empty list serves none. All by default. */
  readonly discovery?: readonly DiscoveryForm[];
  /** Changes the metadata. */
  readonly metadata?: (document: JsonObject) => JsonObject;
  /** Scopes there are, listed in the metadata. By default any scope there might be. */
  readonly scopesSupported?: readonly string[];
  /** Narrows, or widens, what was asked for and could be had. */
  readonly grantScopes?: (scopes: readonly string[], request: ScopeRequest) => readonly string[];
  /** Identifiers of the resources there are; others are an `invalid_target`. Any by default. */
  readonly resources?: readonly string[];
  /**
   * The parameter `resource`: `bound` makes it the audience of tokens, `required` refuses requests without it, `ignored`
   * behaves like a server that does not know it. Default `bound`.
   */
  readonly resource?: 'bound' | 'required' | 'ignored';
  /** Audience of tokens that are for no resource. Default: the issuer. */
  readonly audience?: string;
  /** Values of `grant_type` that are taken. All by default. */
  readonly grantTypes?: readonly string[];
  /** Ways for clients to authenticate that are taken. All by default. */
  readonly authMethods?: readonly TestClientAuthMethod[];
  /**
   * `rotating` gives a new refresh token each time and revokes all of a family when an old one is used again; `lasting`
   * keeps the first. Where `offline_access` is a scope that is supported, only who has it gets one. Default `rotating`.
   */
  readonly refreshTokens?: 'rotating' | 'lasting' | 'none';
  readonly lifetimes?: LifetimeOptions;
  /** `opaque` tokens can only be looked up by introspection. Default `jwt`. */
  readonly accessTokens?: 'jwt' | 'opaque';
  /** Changes the claims of any token. */
  readonly claims?: (claims: JsonObject, subject: ClaimsSubject) => JsonObject;
  /** Tokens bound to a key: by request, always, or never. Default `allowed`. */
  readonly dpop?: 'allowed' | 'required' | 'off';
  /** Asks for a nonce in DPoP proofs, by `use_dpop_nonce`. Default false. */
  readonly dpopNonce?: boolean;
  /**
   * `by-application-type` holds redirect URIs to what OpenID Connect allows web and native applications; `open` only records
   * the type. Default `open`.
   */
  readonly registration?: 'open' | 'by-application-type' | 'off';
  /** Takes the https address of a client's metadata document for a client id. Default true. */
  readonly clientIdDocuments?: boolean;
  /** Whose assertions are taken for a grant. None by default. */
  readonly trustedIssuers?: readonly TrustedIssuer[];
  /** Client id that an ID-JAG names, by the id of who asked for it. By default the same. */
  readonly idJagClient?: (clientId: string, audience: string) => string;
  /** Hears of every request before anything comes of it; may wait, or answer in the server's place. */
  readonly onRequest?: (request: RecordedRequest) => HookAnswer | Promise<HookAnswer>;
  /** Hears of every token request whose client is known, before anything is used up; may wait, or answer instead. */
  readonly onToken?: (request: TokenRequest) => HookAnswer | Promise<HookAnswer>;
  /** Changes the answer to a token request after everything has happened, or loses it with `hang-up`. */
  readonly tokenAnswer?: (
    answer: TestAnswer,
    request: RecordedRequest,
  ) => TestAnswer | 'hang-up' | Promise<TestAnswer | 'hang-up'>;
}
