export { AuthError, type AuthErrorOptions, type AuthErrorReason } from './auth-error.js';
export type {
  ClientAuthMethod,
  ClientInformation,
  ClientKey,
} from './client/registration/client-information.js';
export type { StoredEntry } from './client/store/auth-store.js';
export type { OauthFetch } from './http/fetch-sender.js';
export type { Lookup } from './http/guarded-connector.js';
export type { OauthHttp, OauthRequest, OauthResponse } from './http/oauth-http.js';
export {
  type OauthHttpLimits,
  type SafeHttpOptions,
  safeHttp,
} from './http/safe-http.js';
export type { NonceOptions } from './server/dpop/nonces.js';
export { type DpopCheckOptions, dpopCheck } from './server/dpop/proof-check.js';
export type { ScopeOptions } from './server/guard/granted-scopes.js';
export { protect } from './server/guard/protect.js';
export type { ProtectOptions, RefusedRequest } from './server/guard/protect-options.js';
export { ResourceGuard } from './server/guard/resource-guard.js';
export type { SigningAlgorithm } from './server/keys/signing-algorithms.js';
export { FormError } from './server/pages/bounded-form.js';
export {
  type ElicitationPages,
  elicitationPages,
  type PageCaller,
} from './server/pages/elicitation-pages.js';
export type { ElicitationPagesOptions, RefusedVisit } from './server/pages/elicitation-pages-options.js';
export type { PageRefusal } from './server/pages/page-responses.js';
export type { PageEntry, PageStore } from './server/pages/page-store.js';
export { type SignInOptions, signInAt } from './server/pages/sign-in-visitors.js';
export type { PageVisit, VisitStep } from './server/pages/visit.js';
export type { PagesContext, Visitor, Visitors } from './server/pages/visitors.js';
export type { IntrospectionVerifierOptions } from './server/verifiers/introspection-options.js';
export { introspectionVerifier } from './server/verifiers/introspection-verifier.js';
export { jwtVerifier } from './server/verifiers/jwt-verifier.js';
export type { JwtVerifierOptions, TokenIssuer } from './server/verifiers/jwt-verifier-options.js';
export type {
  NextNonce,
  PresentedProof,
  ProofCheck,
  ProofProblem,
  Rejected,
  TokenRealm,
  Verified,
  Verify,
} from './server/verify.js';
