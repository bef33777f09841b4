export { AuthError, type AuthErrorOptions, type AuthErrorReason } from './auth-error.js';
export type { ScopeOptions } from './guard/granted-scopes.js';
export { protect, ResourceGuard } from './guard/resource-guard.js';
export type { RefusedRequest, ResourceGuardOptions } from './guard/resource-guard-options.js';
export type { OauthFetch } from './http/fetch-sender.js';
export type { Lookup } from './http/guarded-connector.js';
export type {
  OauthHttp,
  OauthRequest,
  OauthResponse,
  SafeHttp,
  SafeRequest,
  SafeResponse,
} from './http/oauth-http.js';
export { type SafeHttpOptions, safeHttp } from './http/safe-http.js';
export type {
  ClientAuthMethod,
  ClientInformation,
  ClientKey,
} from './oauth/client-information.js';
export type { IntrospectionVerifierOptions } from './verifiers/introspection-options.js';
export { introspectionVerifier } from './verifiers/introspection-verifier.js';
export { jwtVerifier } from './verifiers/jwt-verifier.js';
export type { JwtVerifierOptions, TokenIssuer } from './verifiers/jwt-verifier-options.js';
export type { NonceOptions } from './verifiers/nonces.js';
export type { SigningAlgorithm } from './verifiers/option-rules.js';
export { type DpopCheckOptions, dpopCheck } from './verifiers/proof-check.js';
export type {
  NextNonce,
  PresentedProof,
  ProofCheck,
  ProofProblem,
  Rejected,
  TokenRealm,
  Verified,
  Verify,
} from './verifiers/verify.js';
