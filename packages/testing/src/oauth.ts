export { type HookAnswer, oauthError, type TestAnswer } from './oauth/answer.js';
export type {
  AuthorizationBehaviour,
  ClaimsSubject,
  DiscoveryForm,
  LifetimeOptions,
  ScopeRequest,
  TrustedIssuer,
} from './oauth/behaviour.js';
export type {
  RecordedAuthorizationRequest,
  RecordedRequest,
  TestEndpoint,
  TokenRequest,
} from './oauth/recorded-request.js';
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
export type { TestClient, TestClientAuthMethod } from './oauth/test-client.js';
export type { TestSignature, TokenToIssue } from './oauth/token-to-issue.js';
