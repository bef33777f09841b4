export { AuthError, type AuthErrorOptions, type AuthErrorReason } from './auth-error.js';
export type { AuthorizationServer } from './discovery/authorization-server.js';
export type { ChooseAuthorizationServer } from './discovery/discovery.js';
export type { ProtectedResource } from './discovery/resource-metadata.js';
export type { OauthFetch } from './http/fetch-sender.js';
export type {
  ClientAuthMethod,
  ClientInformation,
  ClientKey,
} from './oauth/client-information.js';
export type {
  AuthorizationRequest,
  DeferredSignIns,
  DeviceCode,
  Interaction,
  SignIn,
  SignInSubject,
} from './oauth/interaction.js';
export type { OwnCredentials } from './oauth/own-credentials.js';
export { type ClientCredentialsOptions, clientCredentials } from './providers/client-credentials.js';
export type { IdentityRequest, IdentitySource } from './providers/enterprise-managed.js';
export {
  type EnterpriseClient,
  type EnterpriseManagedOptions,
  enterpriseManaged,
} from './providers/enterprise-managed.js';
export type { Identity, SamlIdentity } from './providers/identity-exchange.js';
export type { IdentityProviderOptions } from './providers/identity-provider.js';
export type { AssertionRequest, AssertionSource } from './providers/jwt-bearer.js';
export { type JwtBearerOptions, jwtBearer } from './providers/jwt-bearer.js';
export {
  type FinishedSignIn,
  type OauthClient,
  type OauthOptions,
  oauth,
  type UserProvider,
} from './providers/oauth.js';
export type { OauthProvider, SignedIn } from './providers/oauth-provider.js';
export { type PassTokenOptions, passToken } from './providers/passed-token.js';
export type { ProviderOptions } from './providers/provider-options.js';
export {
  type SubjectTokenRequest,
  type SubjectTokenSource,
  type TokenExchangeOptions,
  tokenExchange,
} from './providers/token-exchange.js';
export type { ClientMetadata, RegisteredClient } from './registration/client-identity.js';
export {
  type ClientMetadataDocument,
  type ClientMetadataDocumentOptions,
  clientMetadataDocument,
} from './registration/client-metadata-document.js';
export { type WebInteractionOptions, webInteraction } from './sign-in/web-interaction.js';
export type { AuthStore, StoredEntry } from './store/auth-store.js';
export { MemoryAuthStore } from './store/memory-store.js';
export { type StateAuthStoreOptions, stateAuthStore } from './store/state-auth-store.js';
export type { AuthEvent, OnAuthEvent } from './tokens/auth-events.js';
