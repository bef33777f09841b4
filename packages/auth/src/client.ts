export { AuthError, type AuthErrorOptions, type AuthErrorReason } from './auth-error.js';
export type { AuthEvent, OnAuthEvent } from './client/auth-events.js';
export type { AuthStore, Kept } from './client/auth-store.js';
export type { AuthorizationServer } from './client/authorization-server.js';
export { type ClientCredentialsOptions, clientCredentials } from './client/client-credentials.js';
export type { ClientMetadata, RegisteredClient } from './client/client-identity.js';
export type { ClientAuthMethod, ClientInformation, ClientKey } from './client/client-information.js';
export {
  type ClientMetadataDocument,
  type ClientMetadataDocumentOptions,
  clientMetadataDocument,
} from './client/client-metadata-document.js';
export type { ChooseAuthorizationServer } from './client/discovery.js';
export {
  type EnterpriseClient,
  type EnterpriseManagedOptions,
  enterpriseManaged,
} from './client/enterprise-managed.js';
export type { IdentityRequest, IdentitySource } from './client/enterprise-managed-grant.js';
export type { Identity, SamlIdentity } from './client/identity-exchange.js';
export type { IdentityProviderOptions } from './client/identity-provider.js';
export type {
  AuthorizationRequest,
  DeferredSignIns,
  Interaction,
  SignIn,
  SignInSubject,
} from './client/interaction.js';
export { type JwtBearerOptions, jwtBearer } from './client/jwt-bearer.js';
export type { AssertionRequest, AssertionSource } from './client/jwt-bearer-grant.js';
export { MemoryAuthStore, type MemoryAuthStoreOptions } from './client/memory-store.js';
export {
  type FinishedSignIn,
  type OauthClient,
  type OauthOptions,
  oauth,
  type UserProvider,
} from './client/oauth.js';
export type { OauthProvider } from './client/oauth-provider.js';
export type { OwnCredentials } from './client/own-credentials.js';
export type { ProtectedResource } from './client/protected-resource.js';
export { defaultProviderLimits, type ProviderLimits } from './client/provider-limits.js';
export type { ProviderOptions } from './client/provider-options.js';
export { type WebInteractionOptions, webInteraction } from './client/web-interaction.js';
export type { OauthFetch } from './http/fetch-sender.js';
