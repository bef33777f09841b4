export { MemoryReplayStore, type MemoryReplayStoreOptions } from '@tenon/mcp-session';
export { AuthError, type AuthErrorOptions, type AuthErrorReason } from './auth-error.js';
export type { Kept } from './client/auth-store.js';
export type { ClientAuthMethod, ClientInformation, ClientKey } from './client/client-information.js';
export type { OauthFetch } from './http/fetch-sender.js';
export type { Lookup } from './http/lookup.js';
export type { OauthAnswer, OauthHttp, OauthRequest } from './http/oauth-http.js';
export {
  type OauthHttpLimits,
  type SafeHttpOptions,
  safeHttp,
} from './http/safe-http.js';
export type { NonceOptions } from './server/dpop/nonces.js';
export { type DpopCheckOptions, dpopCheck } from './server/dpop/proof-check.js';
export type { ScopeOptions } from './server/granted-scopes.js';
export { FormError } from './server/pages/bounded-form.js';
export {
  type ElicitationPages,
  elicitationPages,
  type PageCaller,
} from './server/pages/elicitation-pages.js';
export type { ElicitationPagesOptions, RefusedVisit } from './server/pages/elicitation-pages-options.js';
export { MemoryPageStore, type MemoryPageStoreOptions } from './server/pages/memory-page-store.js';
export type { PageRefusal } from './server/pages/page-answers.js';
export type { PageEntry, PageStore } from './server/pages/page-store.js';
export { type SignInOptions, signInAt } from './server/pages/sign-in-visitors.js';
export type { PageVisit, VisitStep } from './server/pages/visit.js';
export type { PagePlace, Visitor, Visitors } from './server/pages/visitors.js';
export { protect } from './server/protect.js';
export type { ProtectOptions, RefusedRequest } from './server/protect-options.js';
export { ResourceGuard } from './server/resource-guard.js';
export type { SigningAlgorithm } from './server/signing-algorithms.js';
export type { IntrospectionVerifierOptions } from './server/verifiers/introspection-options.js';
export { introspectionVerifier } from './server/verifiers/introspection-verifier.js';
export { jwtVerifier } from './server/verifiers/jwt-verifier.js';
export type { JwtVerifierOptions, TokenIssuer } from './server/verifiers/jwt-verifier-options.js';
export type {
  NextNonce,
  PresentedProof,
  ProofCheck,
  ProofFlaw,
  Rejected,
  TokenRealm,
  Verified,
  Verify,
} from './server/verify.js';
