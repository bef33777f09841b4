export { AuthError, type AuthErrorOptions, type AuthErrorReason } from './auth-error.js';
export type { ScopeOptions } from './server/granted-scopes.js';
export { protect } from './server/protect.js';
export type { ProtectOptions, RefusedRequest } from './server/protect-options.js';
export { ResourceGuard } from './server/resource-guard.js';
export type {
  PresentedProof,
  ProofCheck,
  ProofFlaw,
  Rejected,
  TokenRealm,
  Verified,
  Verify,
} from './server/verify.js';
