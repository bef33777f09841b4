export { AuthError, type AuthErrorOptions, type AuthErrorReason } from './auth-error.js';
export type { AuthorizationServer } from './client/discovery/authorization-server.js';
export type { ChooseAuthorizationServer } from './client/discovery/discovery.js';
export type { ProtectedResource } from './client/discovery/resource-metadata.js';
export type { IdentityRequest, IdentitySource } from './client/grants/enterprise-managed-grant.js';
export type { Identity, SamlIdentity } from './client/grants/identity-exchange.js';
export type { IdentityProviderOptions } from './client/grants/identity-provider.js';
export type { AssertionRequest, AssertionSource } from './client/grants/jwt-bearer-grant.js';
export type { AuthEvent, OnAuthEvent } from './client/providers/auth-events.js';
export { type ClientCredentialsOptions, clientCredentials } from './client/providers/client-credentials.js';
export {
  type EnterpriseClient,
  type EnterpriseManagedOptions,
  enterpriseManaged,
} from './client/providers/enterprise-managed.js';
export { type JwtBearerOptions, jwtBearer } from './client/providers/jwt-bearer.js';
export {
  type FinishedSignIn,
  type OauthClient,
  type OauthOptions,
  oauth,
  type UserProvider,
} from './client/providers/oauth.js';
export type { OauthProvider, SignedIn } from './client/providers/oauth-provider.js';
export { defaultProviderLimits, type ProviderLimits } from './client/providers/provider-limits.js';
export type { ProviderOptions } from './client/providers/provider-options.js';
export type { ClientMetadata, RegisteredClient } from './client/registration/client-identity.js';
export type {
  ClientAuthMethod,
  ClientInformation,
  ClientKey,
} from './client/registration/client-information.js';
export {
  type ClientMetadataDocument,
  type ClientMetadataDocumentOptions,
  clientMetadataDocument,
} from './client/registration/client-metadata-document.js';
export type { OwnCredentials } from './client/registration/own-credentials.js';
export type {
  AuthorizationRequest,
  DeferredSignIns,
  Interaction,
  SignIn,
  SignInSubject,
} from './client/sign-in/interaction.js';
export { type WebInteractionOptions, webInteraction } from './client/sign-in/web-interaction.js';
export type { AuthStore, StoredEntry } from './client/store/auth-store.js';
export { MemoryAuthStore, type MemoryAuthStoreOptions } from './client/store/memory-store.js';
export { type StateAuthStoreOptions, stateAuthStore } from './client/store/state-auth-store.js';
export type { OauthFetch } from './http/fetch-sender.js';
