export { printableText } from '@tenon/foundation';
export type {
  AccessRequest,
  ConsentedAccess,
  FormAccess,
  Origin,
  PageAccess,
  PromptAccess,
  ResourceAccess,
  RootsAccess,
  SamplingAccess,
  SkillAccess,
  SkillInUse,
  SkillToolsAccess,
  StartAccess,
  ToolAccess,
  Way,
} from './access/access-request.js';
export type { Consent, ConsentAnswer, ConsentRequest, DefinitionChange } from './access/consent.js';
export type { GrantStore } from './access/grant-store.js';
export { memoryGrants } from './access/memory-grants.js';
export {
  type Policy,
  type PolicyAction,
  type PolicyDecision,
  type PolicyRule,
  rules,
} from './access/policy.js';
export type { HostAppServer } from './apps/app-server.js';
export type { AuditLog, AuditOutcome, AuditRecord } from './audit/audit-log.js';
export { type MemoryAudit, memoryAudit } from './audit/memory-audit.js';
export type { HostToolResult } from './calls/model-calls.js';
export type { CatalogueChange, HostTool, OfServer } from './catalogue/catalogue.js';
export type {
  AnthropicToolSearch,
  Deferred,
  NativeFormat,
  NativeModelTools,
  NativeTools,
  OpenAiNamespace,
  OpenAiToolSearch,
} from './deferred/native-deferral.js';
export {
  type CallPlace,
  createHost,
  type Host,
  type HostCallOptions,
  type HostModelTools,
  type NativeToolsOptions,
  type RunOptions,
  type ToolAddress,
  type ToolsOptions,
} from './host.js';
export { HostError, type HostErrorReason } from './host-error.js';
export type { ForUser, HostServers } from './host-servers.js';
export type {
  FormContext,
  HostInput,
  InputContext,
  PageContext,
  SamplingReview,
} from './input/host-input.js';
export type { HostOptions, LiveServers } from './options.js';
export type { Credentials, CredentialsRequest, Vault } from './servers/credentials.js';
export type { HostServer, ServerSettings } from './servers/server-settings.js';
export type { ServerState, ServerStatus } from './servers/server-state.js';
