export type { TestClient, TestClientAuthMethod } from './oauth/clients/test-client.js';
export { type HookAnswer, oauthError, type TestAnswer } from './oauth/http/answer.js';
export type {
  RecordedAuthorizationRequest,
  RecordedRequest,
  TestEndpoint,
  TokenRequest,
} from './oauth/http/recorded-request.js';
export type {
  AuthorizationBehaviour,
  ClaimsSubject,
  DiscoveryForm,
  LifetimeOptions,
  ScopeRequest,
  TrustedIssuer,
} from './oauth/options/behaviour.js';
export {
  type ScriptedBrowser,
  type ScriptedBrowserOptions,
  scriptedBrowser,
} from './oauth/scripted-browser.js';
export { startTestAuthorizationServer } from './oauth/start.js';
export type {
  TestAuthorizationLimits,
  TestAuthorizationServer,
  TestAuthorizationServerOptions,
} from './oauth/test-authorization-server.js';
export type { TestSignature, TokenToIssue } from './oauth/tokens/token-to-issue.js';
